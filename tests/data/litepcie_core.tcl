
# What litepcie_gen leaves, shortened: a project, sources, a core, the way to a bitstream.
create_project -force -name litepcie_core -part xcvu9p-flga2104-2L-e
read_verilog {build/gateware/litepcie_core.v}
read_xdc litepcie_core.xdc

create_ip -vendor xilinx.com -name pcie4_uscale_plus -module_name pcie_usp
set obj [get_ips pcie_usp]
set_property -dict [list \
CONFIG.Component_Name {pcie_usp} \
CONFIG.axisten_if_width {128_bit} \
CONFIG.pf0_bar0_size {2.0} \
] $obj
synth_ip $obj

synth_design -directive default -top litepcie_core -part xcvu9p-flga2104-2L-e
quit
