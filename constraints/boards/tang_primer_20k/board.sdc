// Sipeed Tang Primer 20K: the 27 MHz oscillator (litex-boards, sipeed_tang_primer_20k.py).
create_clock -name clk -period 37.037 [get_ports {clk}]
set_false_path -from [get_ports {uart_rx}]
set_false_path -to [get_ports {uart_tx led[0] led[1] led[2] led[3]}]
