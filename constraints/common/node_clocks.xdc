# Clocks of a node that meet in its crossings: the node's, those of the links' channels, that of the PCIe core.
# Every way between two of them goes through a Gray pointer, a level, or a word that waits for one of these:
# all bits within one period of the fastest clock. It has loops: add it with `read_xdc -unmanaged`.
set period 4.0
set clocks [get_clocks -of_objects [get_nets -quiet {clock user_clk* rx_clk* axi_aclk}]]
foreach from $clocks {
    foreach to $clocks {
        if {$from ne $to} {
            set_max_delay -datapath_only -from [get_clocks $from] -to [get_clocks $to] $period
        }
    }
}
