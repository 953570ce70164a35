
# QSFP2 cage, lane 1 (MGTY 232, channel 0), 156.25 MHz. Pins: corundum/corundum, fpga/mqnic/VCU118/fpga_25g/fpga.xdc.
set_property LOC T2 [get_ports qsfp1_rx_p]
set_property LOC T1 [get_ports qsfp1_rx_n]
set_property LOC L5 [get_ports qsfp1_tx_p]
set_property LOC L4 [get_ports qsfp1_tx_n]
set_property LOC R9 [get_ports qsfp1_refclk_p]
set_property LOC R8 [get_ports qsfp1_refclk_n]
create_clock -period 6.400 -name qsfp1_refclk [get_ports qsfp1_refclk_p]
