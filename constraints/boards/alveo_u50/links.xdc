# Link 0: QSFP cage, lane 1 (MGTY 131, channel 0), clock of the cage 161.1328125 MHz.
# Pins: corundum/corundum, fpga/mqnic/AU50/fpga_25g/fpga.xdc.
set_property LOC J45 [get_ports link0_rx_p]
set_property LOC J46 [get_ports link0_rx_n]
set_property LOC D42 [get_ports link0_tx_p]
set_property LOC D43 [get_ports link0_tx_n]
set_property LOC N36 [get_ports qsfp0_refclk_p]
set_property LOC N37 [get_ports qsfp0_refclk_n]
create_clock -period 6.206 -name qsfp0_refclk [get_ports qsfp0_refclk_p]

# Link 1: QSFP cage, lane 2 (MGTY 131, channel 1).
set_property LOC G45 [get_ports link1_rx_p]
set_property LOC G46 [get_ports link1_rx_n]
set_property LOC C40 [get_ports link1_tx_p]
set_property LOC C41 [get_ports link1_tx_n]

# Link 2: QSFP cage, lane 3 (MGTY 131, channel 2).
set_property LOC F43 [get_ports link2_rx_p]
set_property LOC F44 [get_ports link2_rx_n]
set_property LOC B42 [get_ports link2_tx_p]
set_property LOC B43 [get_ports link2_tx_n]

# Link 3: QSFP cage, lane 4 (MGTY 131, channel 3).
set_property LOC E45 [get_ports link3_rx_p]
set_property LOC E46 [get_ports link3_rx_n]
set_property LOC A40 [get_ports link3_tx_p]
set_property LOC A41 [get_ports link3_tx_n]
