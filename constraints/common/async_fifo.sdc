# Clock-domain crossings of axis_async_fifo, for Quartus. `period` is the period of the fastest clock at
# any of them, ns: a Gray pointer's bits must arrive within one period of the receiving clock.
set period 4.0
foreach {from to} {write_gray write_gray_m_1 read_gray read_gray_s_1} {
    set sources [get_registers *|$from\[*\]]
    set targets [get_registers *|$to\[*\]]
    set_false_path -from $sources -to $targets
    set_max_skew -from $sources -to $targets $period
    set_net_delay -from $sources -to $targets -max $period
}
# A word lies in the memory for two periods before it is read.
set_false_path -from [get_registers *|memory*] -to [get_registers *|m_data\[*\]]
