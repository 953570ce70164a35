# Terasic DE10-Agilex: clk_50_b3a.
create_clock -name clk -period 20.000 [get_ports {clk}]
derive_clock_uncertainty
set_false_path -from [get_ports {button_n uart_rx}]
set_false_path -to [get_ports {uart_tx led[0] led[1] led[2] led[3]}]
