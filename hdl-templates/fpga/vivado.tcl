# <$ banner $>
# <$ top $> for <$ title $>, without a project: vivado -mode batch -source build.tcl
set part <$ part $>
set top  <$ top $>
<%- if !cores.is_empty() %>

set_part $part
<%- for core in cores %>

create_ip -name <$ core.kind $> -vendor xilinx.com -library ip -module_name <$ core.name $> -dir cores -force
<%- if let Some(preset) = core.preset %>
set_property -dict {CONFIG.preset {<$ preset $>}} [get_ips <$ core.name $>]
<%- endif %>
set_property -dict {
<%- for (name, value) in core.properties %>
    CONFIG.<$ name $> {<$ value $>}
<%- endfor %>
} [get_ips <$ core.name $>]
generate_target all [get_ips <$ core.name $>]
synth_ip [get_ips <$ core.name $>]
<%- endfor %>
<%- endif %>
<%- if has_litepcie %>

# LitePCIe: sources and PCIe core as litepcie_gen wrote them, without its own way from project to bitstream.
set file [open build/gateware/litepcie_core.tcl]
set script [read $file]
close $file
foreach line [regexp -all -inline -line {^read_verilog .*$} $script] {
    eval $line
}
if {![regexp {create_ip .*synth_ip \$obj} $script core]} {
    puts stderr "mkns: build/gateware/litepcie_core.tcl makes no PCIe core"
    exit 1
}
eval $core
file copy -force build/gateware/litepcie_core_mem.init .
<%- endif %>

read_verilog {
<%- for source in sources %>
    <$ source $>
<%- endfor %>
}
read_xdc board.xdc
<%- if !cores.is_empty() %>
read_xdc -unmanaged node_clocks.xdc
<%- endif %>
<%- if has_litepcie %>
read_xdc -unmanaged litepcie.xdc
<%- endif %>

synth_design -top $top -part $part
opt_design
place_design
phys_opt_design
route_design

report_utilization -file utilization.rpt
report_timing_summary -file timing.rpt
report_clock_interaction -file clock_interaction.rpt
report_drc -file drc.rpt

foreach delay_type {max min} {
    set path  [get_timing_paths -delay_type $delay_type -max_paths 1 -nworst 1]
    set slack [get_property SLACK $path]
    puts "mkns: worst slack ($delay_type) $slack ns"
    if {$slack eq "" || $slack < 0} {
        puts stderr "mkns: timing is not met, no bitstream is written"
        exit 1
    }
}
write_checkpoint -force $top.dcp
write_bitstream -force $top.bit
exit 0
