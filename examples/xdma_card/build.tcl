# vivado -mode batch -source examples/xdma_card/build.tcl -tclargs PART PINS.xdc
# Run it in the folder that holds rtl-out/xdma_card and xdma. PINS.xdc places the card's PCIe pins and reference clock.
lassign $argv part pins
create_project -in_memory -part $part
read_verilog [glob rtl-out/xdma_card/rtl/*.v xdma/*.v examples/xdma_card/card.v examples/xdma_card/card_network.v]
create_ip -name xdma -vendor xilinx.com -library ip -module_name xdma_0
set_property -dict [list CONFIG.functional_mode {DMA} CONFIG.mode_selection {Advanced} \
    CONFIG.xdma_axi_intf_mm {AXI_Stream} CONFIG.pl_link_cap_max_link_width {X4} \
    CONFIG.pl_link_cap_max_link_speed {5.0_GT/s} CONFIG.axi_data_width {64_bit} \
    CONFIG.axisten_freq {250} CONFIG.xdma_rnum_chnl {1} CONFIG.xdma_wnum_chnl {1} \
    CONFIG.axilite_master_en {true} CONFIG.axilite_master_size {2} CONFIG.axilite_master_scale {Megabytes}] [get_ips xdma_0]
generate_target all [get_ips xdma_0]
synth_ip [get_ips xdma_0]
read_xdc $pins
synth_design -top card -part $part
read_xdc -ref axis_async_fifo xdma/async_fifo.xdc
read_xdc -ref bit_synchroniser xdma/bit_synchroniser.xdc
opt_design
place_design
route_design
report_timing_summary -file card_timing.rpt
if {[get_property SLACK [get_timing_paths]] < 0} { error "timing is not met: card_timing.rpt" }
write_bitstream -force card.bit
