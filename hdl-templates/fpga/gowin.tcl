# <$ banner $>
# The self-test for <$ title $>: gw_sh build.tcl
set top <$ top $>
set_device -device_version <$ family $> <$ part $>
<%- for source in sources %>
add_file -type verilog <$ source $>
<%- endfor %>
add_file -type cst board.cst
add_file -type sdc board.sdc

set_option -synthesis_tool gowinsynthesis
set_option -top_module $top
set_option -verilog_std v2001
set_option -output_base_name $top
set_option -gen_text_timing_rpt 1
set_option -use_sspi_as_gpio 1
set_option -use_mspi_as_gpio 1
set_option -use_ready_as_gpio 1
set_option -use_done_as_gpio 1

run all

# A bitstream whose timing is not known to be met must not stay.
proc refuse {why} {
    global top
    puts stderr "mkns: $why"
    file delete -force impl/pnr/$top.fs
    exit 1
}

# The text report counts the end points of setup and hold that miss their time.
set reports [glob -nocomplain impl/pnr/*.tr]
if {[llength $reports] == 0} {
    refuse "there is no timing report"
}
set file [open [lindex $reports 0]]
set text [read $file]
close $file
foreach kind {Setup Hold} {
    set pattern "Numbers of $kind Violated Endpoints:?\\s*(\[0-9\]+)"
    if {![regexp $pattern $text whole violated]} {
        refuse "the timing report says nothing of $kind"
    }
    puts "mkns: violated end points ($kind) $violated"
    if {$violated != 0} {
        refuse "timing is not met"
    }
}
exit 0
