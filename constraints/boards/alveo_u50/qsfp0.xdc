
# QSFP cage, lane 1 (MGTY 131, channel 0), 161.1328125 MHz. Pins: corundum/corundum, fpga/mqnic/AU50/fpga_25g/fpga.xdc.
set_property LOC J45 [get_ports qsfp0_rx_p]
set_property LOC J46 [get_ports qsfp0_rx_n]
set_property LOC D42 [get_ports qsfp0_tx_p]
set_property LOC D43 [get_ports qsfp0_tx_n]
set_property LOC N36 [get_ports qsfp0_refclk_p]
set_property LOC N37 [get_ports qsfp0_refclk_n]
create_clock -period 6.206 -name qsfp0_refclk [get_ports qsfp0_refclk_p]
