# Clock-domain crossings of axis_async_fifo, for Vivado. `period` is the period of the fastest clock at
# any of them, ns: a Gray pointer's bits must arrive within one period of the receiving clock.
# It has loops: add it with `read_xdc -unmanaged`.
set period 4.0
foreach fifo [get_cells -hierarchical -filter {ORIG_REF_NAME =~ axis_async_fifo* || REF_NAME =~ axis_async_fifo*}] {
    foreach {from to} {write_gray write_gray_m_1 read_gray read_gray_s_1} {
        set sources [get_cells $fifo/${from}_reg\[*\]]
        set targets [get_cells $fifo/${to}_reg\[*\]]
        set_max_delay -datapath_only -from $sources -to $targets $period
        set_bus_skew -from $sources -to $targets $period
    }
    # A word lies in the memory for two periods before it is read.
    set_max_delay -datapath_only -from [get_cells $fifo/memory_reg*] -to [get_cells $fifo/m_data_reg\[*\]] $period
}
