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
set_global_assignment -name SDC_FILE board.sdc
source board.qsf
export_assignments

# synthesis, fitter, timing analyzer, assembler
if {[catch {execute_flow -compile} message]} {
    puts stderr "mkns: $message"
    project_close
    exit 1
}

# Row 1 of the panel is the worst slack of all corners; columns 1 and 2 are setup and hold.
load_report
set panel "Timing Analyzer||Multicorner Timing Analysis Summary"
foreach column {1 2} {
    set slack [get_report_panel_data -name $panel -row 1 -col $column]
    puts "mkns: worst slack (column $column) $slack ns"
    if {![string is double -strict $slack] || $slack < 0} {
        puts stderr "mkns: timing is not met"
        file delete -force output/$top.sof
        unload_report
        project_close
        exit 1
    }
}
unload_report
project_close
exit 0
