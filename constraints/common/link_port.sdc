# Clock-domain crossings of link_port, for Quartus: an SDC_FILE behind those with the clocks. Only paths between the two
# clocks of an instance are relaxed, and a limit of net delay and skew takes the place of setup and hold.
# Do not put its clocks into asynchronous groups: they would win over set_max_delay.
# Names of instances are with their entities in front in the Standard Edition, and without in Pro: hence the stars.
foreach link [get_entity_instances link_port] {
    # Gray pointers first: the bits arrive within one period of either clock. Then levels, the box (a word that is still
    # until it was taken, and the two toggles that say so), and flits, which lie in a memory before their pointer has
    # crossed; a block memory has no such path.
    foreach {is_gray from to} {
        1 *core|*ring_pointer|gray[*] *ring_crossing|stage_1[*]
        1 *core|*gen_channel[*].read_pointer|gray[*] *gen_crossing[*].read_crossing|stage_1[*]
        1 *receiver|*gen_channel[*].pointer|gray[*] *gen_crossing[*].write_crossing|stage_1[*]
        0 *core|core_idle *idle_crossing|stage_1[*]
        0 *registers|disabled *disabled_crossing|stage_1[*]
        0 *registers|inject *inject_crossing|stage_1[*]
        0 *state_box|box_sent *state_box|*forth|stage_1[*]
        0 *state_box|box_taken *state_box|*back|stage_1[*]
        0 *state_box|box_word[*] core_alive
        0 *state_box|box_word[*] core_ack[*]
        0 *state_box|box_word[*] core_limits[*]
        0 *state_box|box_word[*] *registers|reg_rdata[*]
        0 *ring_memory|*memory* *ring_memory|read_word[*]
        0 *places|*memory* *places|read_word[*]
    } {
        set sources [get_registers -nowarn $link|$from]
        set targets [get_registers -nowarn $link|$to]
        if {[get_collection_size $sources] == 0 || [get_collection_size $targets] == 0} {
            if {[string match *memory* $from]} {
                continue
            }
            error "link_port.sdc: $link has no path from $from to $to"
        }
        set_max_delay -from $sources -to $targets 100.0
        set_min_delay -from $sources -to $targets -100.0
        set_net_delay -from $sources -to $targets -max -get_value_from_clock_period min_clock_period -value_multiplier 0.8
        if {$is_gray} {
            set_max_skew -from $sources -to $targets -get_skew_value_from_clock_period min_clock_period -skew_value_multiplier 0.8
        }
    }
    # Words that are still while the other side reads them: EXPECTED_PEER is written while the link is disabled, and a read
    # of a register waits for the second box behind reg_index. block_number is a constant; where a register of yours drives
    # it, give that register a set_false_path.
    foreach {from to} {
        *registers|expected_peer[*] *sessions|fits
        *registers|expected_peer[*] *sessions|reason[*]
        *registers|reg_index[*] *state_box|box_word[*]
    } {
        set_false_path -from [get_registers $link|$from] -to [get_registers $link|$to]
    }
}
