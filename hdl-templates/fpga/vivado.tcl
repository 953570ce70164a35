# <$ banner $>
# <$ top $> for <$ title $>, without a project: vivado -mode batch -source build.tcl
set part <$ part $>
set top  <$ top $>
<%- if !cores.is_empty() %>

set_part $part
file mkdir cores
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
# litepcie_gen writes 2.0 MiB as Python does; Vivado lists whole numbers.
regsub -all {(pf0_bar0_size \{[0-9]+)\.0\}} $core "\\1\}" core
eval $core
file copy -force build/gateware/litepcie_core_mem.init .
<%- endif %>

read_verilog {
<%- for source in sources %>
    <$ source $>
<%- endfor %>
}
read_xdc board.xdc
<%- if has_litepcie %>
read_xdc -unmanaged litepcie.xdc
<%- endif %>

synth_design -top $top -part $part
<%- if !crossings.is_empty() %>

# Clock crossings: their constraints read the clocks of all cores.
<%- for (module, file) in crossings %>
read_xdc -ref <$ module $> <$ file $>
<%- endfor %>
<%- endif %>
<%- if clocks > 0 %>
set clocks_wanted <$ clocks $>
source node_clocks.tcl
<%- endif %>

opt_design
place_design
phys_opt_design
route_design

report_utilization -file utilization.rpt
report_timing_summary -file timing.rpt
report_clock_interaction -file clock_interaction.rpt
report_drc -file drc.rpt
report_cdc -details -file cdc.rpt
report_methodology -file methodology.rpt
report_bus_skew -file bus_skew.rpt

# A design whose timing is not known to be met gets no bitstream.
proc refuse {why} {
    puts stderr "mkns: $why, no bitstream is written"
    exit 1
}
proc contents {path} {
    set file [open $path]
    set text [read $file]
    close $file
    return $text
}

foreach delay_type {max min} {
    set path  [get_timing_paths -delay_type $delay_type -max_paths 1 -nworst 1]
    set slack [get_property SLACK $path]
    puts "mkns: worst slack ($delay_type) $slack ns"
    if {$slack eq "" || $slack < 0} {
        refuse "timing is not met"
    }
}

# Slack says nothing of end points without a constraint, of pulses that are too short, and of the skew of Gray pointers.
set timing [contents timing.rpt]
foreach check {no_clock pulse_width_clock unconstrained_internal_endpoints} {
    if {![regexp "checking $check \\((\[0-9\]+)\\)" $timing whole count]} {
        refuse "timing.rpt does not say what it found of $check"
    }
    puts "mkns: $check $count"
    if {$count != 0} {
        refuse "timing.rpt: $check $count"
    }
}
# The row of figures below the heads of the summary: the ninth is the worst slack of pulse widths (WPWS).
if {![regexp -line {^ *WNS\(ns\) .*WPWS\(ns\).*\n[ -]+\n *(\S.*)$} $timing whole figures]} {
    refuse "timing.rpt has no summary"
}
set slack [lindex $figures 8]
puts "mkns: worst slack (pulse width) $slack ns"
if {![string is double -strict $slack] || $slack < 0} {
    refuse "timing is not met"
}
if {[string match *(VIOLATED)* [contents bus_skew.rpt]]} {
    refuse "bus_skew.rpt: the bits of a Gray pointer are too far apart"
}
write_checkpoint -force $top.dcp
write_bitstream -force $top.bit
exit 0
