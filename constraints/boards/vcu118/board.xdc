# Xilinx VCU118 (PCIe card) with xcvu9p-flga2104-2L-e.
# Pins: corundum/corundum, fpga/mqnic/VCU118/fpga_25g/fpga.xdc.
set_property CFGBVS GND                                [current_design]
set_property CONFIG_VOLTAGE 1.8                        [current_design]
set_property BITSTREAM.GENERAL.COMPRESS true           [current_design]
set_property BITSTREAM.CONFIG.EXTMASTERCCLK_EN {DIV-1} [current_design]
set_property BITSTREAM.CONFIG.SPI_32BIT_ADDR YES       [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 8           [current_design]
set_property BITSTREAM.CONFIG.SPI_FALL_EDGE YES        [current_design]

# 125 MHz. The self-test runs at a quarter of it, which the tool derives at clock_divider (BUFGCE_DIV); a node at all of it.
set_property -dict {LOC AY24 IOSTANDARD LVDS} [get_ports clk_p]
set_property -dict {LOC AY23 IOSTANDARD LVDS} [get_ports clk_n]
create_clock -period 8.000 -name clk [get_ports clk_p]

# reset button, 1 when pressed
set_property -dict {LOC L19 IOSTANDARD LVCMOS12} [get_ports button]

set_property -dict {LOC BB21 IOSTANDARD LVCMOS18 SLEW SLOW DRIVE 8} [get_ports uart_tx]
set_property -dict {LOC AW25 IOSTANDARD LVCMOS18} [get_ports uart_rx]

set_property -dict {LOC AT32 IOSTANDARD LVCMOS12 SLEW SLOW DRIVE 8} [get_ports {led[0]}]
set_property -dict {LOC AV34 IOSTANDARD LVCMOS12 SLEW SLOW DRIVE 8} [get_ports {led[1]}]
set_property -dict {LOC AY30 IOSTANDARD LVCMOS12 SLEW SLOW DRIVE 8} [get_ports {led[2]}]
set_property -dict {LOC BB32 IOSTANDARD LVCMOS12 SLEW SLOW DRIVE 8} [get_ports {led[3]}]

set_false_path -from [get_ports {button uart_rx}]
set_false_path -to [get_ports {uart_tx led[0] led[1] led[2] led[3]}]
