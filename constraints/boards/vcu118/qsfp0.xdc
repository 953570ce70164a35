
# QSFP1 cage, lane 1 (MGTY 231, channel 0), 156.25 MHz. Pins: corundum/corundum, fpga/mqnic/VCU118/fpga_25g/fpga.xdc.
set_property LOC Y2 [get_ports qsfp0_rx_p]
set_property LOC Y1 [get_ports qsfp0_rx_n]
set_property LOC V7 [get_ports qsfp0_tx_p]
set_property LOC V6 [get_ports qsfp0_tx_n]
set_property LOC W9 [get_ports qsfp0_refclk_p]
set_property LOC W8 [get_ports qsfp0_refclk_n]
create_clock -period 6.400 -name qsfp0_refclk [get_ports qsfp0_refclk_p]
