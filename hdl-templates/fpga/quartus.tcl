# <$ banner $>
# The self-test for <$ title $>: quartus_sh -t build.tcl
package require ::quartus::project
package require ::quartus::flow
package require ::quartus::report

set top <$ top $>
project_new $top -overwrite
set_global_assignment -name FAMILY "<$ family $>"
set_global_assignment -name DEVICE <$ part $>
set_global_assignment -name TOP_LEVEL_ENTITY $top
set_global_assignment -name PROJECT_OUTPUT_DIRECTORY output
<%- for source in sources %>
set_global_assignment -name VERILOG_FILE <$ source $>
<%- endfor %>
<%- if has_reset_release %>

# The Reset Release IP, which tells when all of the device is configured.
set deploy [auto_execok ip-deploy]
if {$deploy eq ""} {
    set deploy [list [file join $quartus(quartus_rootpath) sopc_builder bin ip-deploy]]
}
exec {*}$deploy --component-name=altera_s10_user_rst_clkgate --output-name=reset_release \
    "--family=<$ family $>" --part=<$ part $> >@ stdout 2>@ stderr
set_global_assignment -name IP_FILE reset_release.ip

<%- endif %>
set_global_assignment -name SDC_FILE board.sdc
source board.qsf
export_assignments

# synthesis, fitter, timing analyzer, assembler
if {[catch {execute_flow -compile} message]} {
    puts stderr "mkns: $message"
    project_close
    exit 1
}

# A bitstream whose timing is not known to be met must not stay.
proc refuse {why} {
    global top
    puts stderr "mkns: $why"
    file delete -force output/$top.sof
    unload_report
    project_close
    exit 1
}

# The panel's folder is called otherwise in other versions (TimeQuest Timing Analyzer). Row 1 is the worst slack of all
# corners; columns 1 and 2 are setup and hold, 5 is the minimum pulse width.
load_report
set panels [lsearch -all -inline -glob [get_report_panel_names] "*Timing Analyzer*||Multicorner*Summary"]
if {[llength $panels] == 0} {
    refuse "the report has no summary of timing"
}
set panel [lindex $panels 0]
foreach column {1 2 5} {
    set slack [get_report_panel_data -name $panel -row 1 -col $column]
    puts "mkns: worst slack (column $column) $slack ns"
    if {![string is double -strict $slack] || $slack < 0} {
        refuse "timing is not met"
    }
}
unload_report
project_close
exit 0
