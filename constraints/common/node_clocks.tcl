# Clocks of a node that meet in its crossings, for Vivado: the node's, those of the links' channels, that of the PCIe core.
# Whatever crosses without a constraint of its own gets one period of the fastest clock. build.tcl sources this when the
# design is synthesized, because the clocks of cores are not known before; `clocks_wanted` is how many there are.
set clocks [lsort -unique [get_clocks -quiet -of_objects [get_nets -quiet {clock user_clk* rx_clk* axi_aclk}]]]
if {[llength $clocks] < $clocks_wanted} {
    error "mkns: [llength $clocks] clocks found ($clocks), of $clocks_wanted: the crossings would be without constraints"
}
set period [get_property -min PERIOD [get_clocks $clocks]]
foreach from $clocks {
    foreach to $clocks {
        if {$from ne $to} {
            set_max_delay -datapath_only -from [get_clocks $from] -to [get_clocks $to] $period
        }
    }
}
