# Link 0: QSFP1 cage, lane 1 (MGTY 231, channel 0), clock of the cage 156.25 MHz.
# Pins: corundum/corundum, fpga/mqnic/VCU118/fpga_25g/fpga.xdc, and alexforencich/verilog-ethernet, example/VCU118/fpga_10g/fpga.xdc.
set_property LOC Y2 [get_ports link0_rx_p]
set_property LOC Y1 [get_ports link0_rx_n]
set_property LOC V7 [get_ports link0_tx_p]
set_property LOC V6 [get_ports link0_tx_n]
set_property LOC W9 [get_ports qsfp0_refclk_p]
set_property LOC W8 [get_ports qsfp0_refclk_n]
create_clock -period 6.400 -name qsfp0_refclk [get_ports qsfp0_refclk_p]

# Link 1: QSFP2 cage, lane 1 (MGTY 232, channel 0), clock of the cage 156.25 MHz.
set_property LOC T2 [get_ports link1_rx_p]
set_property LOC T1 [get_ports link1_rx_n]
set_property LOC L5 [get_ports link1_tx_p]
set_property LOC L4 [get_ports link1_tx_n]
set_property LOC R9 [get_ports qsfp1_refclk_p]
set_property LOC R8 [get_ports qsfp1_refclk_n]
create_clock -period 6.400 -name qsfp1_refclk [get_ports qsfp1_refclk_p]

# Link 2: QSFP1 cage, lane 2 (MGTY 231, channel 1).
set_property LOC W4 [get_ports link2_rx_p]
set_property LOC W3 [get_ports link2_rx_n]
set_property LOC T7 [get_ports link2_tx_p]
set_property LOC T6 [get_ports link2_tx_n]

# Link 3: QSFP2 cage, lane 2 (MGTY 232, channel 1).
set_property LOC R4 [get_ports link3_rx_p]
set_property LOC R3 [get_ports link3_rx_n]
set_property LOC K7 [get_ports link3_tx_p]
set_property LOC K6 [get_ports link3_tx_n]

# Link 4: QSFP1 cage, lane 3 (MGTY 231, channel 2).
set_property LOC V2 [get_ports link4_rx_p]
set_property LOC V1 [get_ports link4_rx_n]
set_property LOC P7 [get_ports link4_tx_p]
set_property LOC P6 [get_ports link4_tx_n]

# Link 5: QSFP2 cage, lane 3 (MGTY 232, channel 2).
set_property LOC P2 [get_ports link5_rx_p]
set_property LOC P1 [get_ports link5_rx_n]
set_property LOC J5 [get_ports link5_tx_p]
set_property LOC J4 [get_ports link5_tx_n]

# Link 6: QSFP1 cage, lane 4 (MGTY 231, channel 3).
set_property LOC U4 [get_ports link6_rx_p]
set_property LOC U3 [get_ports link6_rx_n]
set_property LOC M7 [get_ports link6_tx_p]
set_property LOC M6 [get_ports link6_tx_n]

# Link 7: QSFP2 cage, lane 4 (MGTY 232, channel 3).
set_property LOC M2 [get_ports link7_rx_p]
set_property LOC M1 [get_ports link7_rx_n]
set_property LOC H7 [get_ports link7_tx_p]
set_property LOC H6 [get_ports link7_tx_n]
