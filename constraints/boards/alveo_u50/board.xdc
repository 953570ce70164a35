# Xilinx Alveo U50 (PCIe card) with xcu50-fsvh2104-2-e.
# Pins: corundum/corundum, fpga/mqnic/AU50/fpga_25g/fpga.xdc. The card has three LEDs and no button.
set_property CFGBVS GND                                [current_design]
set_property CONFIG_VOLTAGE 1.8                        [current_design]
set_property BITSTREAM.CONFIG.CONFIGFALLBACK ENABLE    [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE           [current_design]
set_property CONFIG_MODE SPIx4                         [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4           [current_design]
set_property BITSTREAM.CONFIG.CONFIGRATE 85.0          [current_design]
set_property BITSTREAM.CONFIG.EXTMASTERCCLK_EN DISABLE [current_design]
set_property BITSTREAM.CONFIG.SPI_FALL_EDGE YES        [current_design]
set_property BITSTREAM.CONFIG.UNUSEDPIN PULLUP         [current_design]
set_property BITSTREAM.CONFIG.SPI_32BIT_ADDR YES       [current_design]

# 100 MHz. The self-test runs at a quarter of it, which the tool derives at clock_divider (BUFGCE_DIV); a node at all of it.
set_property -dict {LOC BB18 IOSTANDARD LVDS} [get_ports clk_p]
set_property -dict {LOC BC18 IOSTANDARD LVDS} [get_ports clk_n]
create_clock -period 10.000 -name clk [get_ports clk_p]

# usb_uart0: the source gives names, not directions; txd is taken as the FPGA's output
set_property -dict {LOC BE26 IOSTANDARD LVCMOS18 SLEW SLOW DRIVE 8} [get_ports uart_tx]
set_property -dict {LOC BF26 IOSTANDARD LVCMOS18} [get_ports uart_rx]

# qsfp_led_act, qsfp_led_stat_g, qsfp_led_stat_y
set_property -dict {LOC E18 IOSTANDARD LVCMOS18 SLEW SLOW DRIVE 8} [get_ports {led[0]}]
set_property -dict {LOC E16 IOSTANDARD LVCMOS18 SLEW SLOW DRIVE 8} [get_ports {led[1]}]
set_property -dict {LOC F17 IOSTANDARD LVCMOS18 SLEW SLOW DRIVE 8} [get_ports {led[2]}]

# HBM over-temperature output of the card: held low, or the card's controller cuts the power
set_property -dict {LOC J18 IOSTANDARD LVCMOS18} [get_ports hbm_cattrip]

set_false_path -from [get_ports {uart_rx}]
set_false_path -to [get_ports {uart_tx hbm_cattrip led[0] led[1] led[2]}]
