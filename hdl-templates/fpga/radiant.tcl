# <$ banner $>
# The self-test for <$ title $>: radiantc build.tcl
set top <$ top $>
prj_create -name $top -impl impl_1 -dev <$ part $> -performance "<$ family $>" -synthesis "lse"
<%- for source in sources %>
prj_add_source <$ source $>
<%- endfor %>
prj_add_source board.ldc
prj_add_source board.pdc
prj_set_impl_opt -impl impl_1 top $top
prj_save

prj_run Synthesis -impl impl_1
prj_run Map -impl impl_1
prj_run PAR -impl impl_1
prj_run Export -impl impl_1 -task Bitgen
prj_close

# A bitstream whose timing is not known to be met must not stay.
proc refuse {why} {
    global top
    puts stderr "mkns: $why"
    file delete -force impl_1/${top}_impl_1.bit
    exit 1
}

# The report of the router's timing analysis counts the errors.
set reports [glob -nocomplain impl_1/*.twr]
if {[llength $reports] == 0} {
    refuse "there is no timing report"
}
set file [open [lindex $reports 0]]
set text [read $file]
close $file
if {![regexp {Timing Errors: *([0-9]+) endpoints \(setup\), *([0-9]+) endpoints \(hold\)} \
        $text whole setup hold]} {
    refuse "the timing report does not count errors"
}
puts "mkns: timing errors $setup (setup), $hold (hold)"
if {$setup != 0 || $hold != 0} {
    refuse "timing is not met"
}
exit 0
