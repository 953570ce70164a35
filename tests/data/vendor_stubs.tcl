# Stands in for the programs of FPGA makers: records every command, and fails on a command, option,
# file or port that should not be there. Run by tests/fpga_vendor.rs in the build folder as
#   tclsh vendor_stubs.tcl SLACK PORT...
# SLACK is what the timing reports will say; or what they find wrong besides slack: unconstrained, pulse, skew; or timequest
# for the names of panels that older versions of Quartus have.
set slack [lindex $argv 0]
set found {}
if {![string is double $slack]} {
    set found $slack
    set slack 0.25
}
set ports [lrange $argv 1 end]
set recorded [open recorded.txt w]

proc record {args} {
    puts $::recorded [join $args " "]
    flush $::recorded
}
rename exit leave
proc exit {{code 0}} {
    record exit $code
    leave $code
}
proc must_exist {path} {
    if {![file isfile $path]} {
        error "there is no file $path"
    }
}
proc write_file {path text} {
    file mkdir [file dirname $path]
    set file [open $path w]
    puts $file $text
    close $file
}
proc allow {command arguments options} {
    foreach word $arguments {
        if {[string match -* $word] && ![string is double $word] && $word ni $options} {
            error "$command does not know $word"
        }
    }
}

# Defines commands that only record themselves; the value lists their options.
proc plain {table} {
    foreach {command options} $table {
        proc $command args "allow $command \$args {$options}; record $command {*}\$args"
    }
}

# Constraints: ports must be those of the top module.
proc get_ports {names} {
    foreach name $names {
        if {$name ni $::ports} {
            error "the top module has no port $name"
        }
        set ::constrained($name) 1
    }
    return $names
}
proc current_design {} { return current_design }
plain {
    create_clock {-name -period}
    set_false_path {-from -to -quiet -through}
    derive_clock_uncertainty {}
    ldc_set_location {-site}
    ldc_set_port {-iobuf}
}
proc set_property args {
    allow set_property $args {-dict}
    record set_property {*}$args
    if {[info exists ::cores([lindex $args end])]} {
        check_core [lindex $args end] [lindex $args 1]
    }
}

# Vivado
plain {
    opt_design {} place_design {} phys_opt_design {} route_design {}
    report_utilization {-file} report_clock_interaction {-file}
    report_drc {-file} report_cdc {-details -file} report_methodology {-file} write_checkpoint {-force}
}
proc synth_design args {
    allow synth_design $args {-top -part}
    record synth_design {*}$args
    set ::synthesized [dict get $args -top]
}
# Numbers as a report of Vivado 2022.1 has them.
proc report_timing_summary args {
    allow report_timing_summary $args {-file}
    record report_timing_summary {*}$args
    set pulse [expr {$::found eq "pulse" ? -0.1 : 3.5}]
    write_file [dict get $args -file] [join [list \
        "1. checking no_clock (0)" \
        "3. checking pulse_width_clock (0)" \
        "4. checking unconstrained_internal_endpoints ([expr {$::found eq "unconstrained" ? 12 : 0}])" \
        "" \
        "    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)  THS Failing Endpoints  THS Total Endpoints     WPWS(ns)     TPWS(ns)  TPWS Failing Endpoints  TPWS Total Endpoints  " \
        "    -------      -------  ---------------------  -------------------      -------      -------  ---------------------  -------------------     --------     --------  ----------------------  --------------------  " \
        "      $::slack        0.000                      0                  500        0.050        0.000                      0                  500        $pulse        0.000                       0                   250  "] \n]
}
proc report_bus_skew args {
    allow report_bus_skew $args {-file}
    record report_bus_skew {*}$args
    write_file [dict get $args -file] "Slack ([expr {$::found eq "skew" ? "VIOLATED" : "MET"}]) : 0.1ns"
}
proc read_verilog {files} {
    foreach file $files {
        must_exist $file
        record read_verilog $file
    }
}
# A file for the instances of a module knows the names below them: tests/fpga_constraints.rs reads it.
proc read_xdc args {
    allow read_xdc $args {-unmanaged -ref}
    set file [lindex $args end]
    must_exist $file
    record read_xdc {*}$args
    if {"-ref" in $args} {
        must_exist rtl/[lindex $args [lsearch $args -ref]+1].v
        if {![info exists ::synthesized]} {
            error "$file reads clocks, which cores have behind synth_design"
        }
        return
    }
    if {"-unmanaged" ni $args && [regexp -line {^\s*(foreach|for|while) } [read [set channel [open $file]]]]} {
        error "$file has loops: read_xdc -unmanaged"
    }
    uplevel #0 [list source $file]
}
# Cores: every property that may be set, and a core before it is used.
set core_properties {
    aurora_64b66b {
        C_AURORA_LANES C_LINE_RATE C_REFCLK_FREQUENCY C_INIT_CLK C_UCOLUMN_USED C_START_QUAD C_START_LANE
        CHANNEL_ENABLE C_REFCLK_SOURCE interface_mode C_USE_BYTESWAP drp_mode SupportLevel
    }
    xdma {
        mode_selection pl_link_cap_max_link_width pl_link_cap_max_link_speed axi_data_width axisten_freq
        xdma_axi_intf_mm xdma_rnum_chnl xdma_wnum_chnl cfg_mgmt_if xdma_num_usr_irq axilite_master_en axilite_master_size
        axilite_master_scale
    }
    gtwizard_ultrascale {
        preset CHANNEL_ENABLE TX_MASTER_CHANNEL RX_MASTER_CHANNEL TX_LINE_RATE RX_LINE_RATE TX_REFCLK_FREQUENCY
        RX_REFCLK_FREQUENCY TX_REFCLK_SOURCE RX_REFCLK_SOURCE TX_USER_DATA_WIDTH RX_USER_DATA_WIDTH
        TX_INT_DATA_WIDTH RX_INT_DATA_WIDTH FREERUN_FREQUENCY LOCATE_RESET_CONTROLLER LOCATE_TX_USER_CLOCKING
        LOCATE_RX_USER_CLOCKING LOCATE_COMMON ENABLE_OPTIONAL_PORTS
    }
    pcie4_uscale_plus {Component_Name axisten_if_width pf0_bar0_size}
}
plain {set_part {}}
proc create_ip args {
    allow create_ip $args {-name -vendor -library -module_name -dir -force}
    record create_ip {*}$args
    if {"-dir" in $args} {
        set folder [lindex $args [lsearch $args -dir]+1]
        if {![file isdirectory $folder]} {
            error "there is no folder $folder"
        }
    }
    set ::cores([dict get [lsearch -all -inline -not $args -force] -module_name]) \
        [dict get [lsearch -all -inline -not $args -force] -name]
}
proc get_ips {name} {
    if {![info exists ::cores($name)]} {
        error "there is no core $name"
    }
    return $name
}
proc generate_target {what core} {
    record generate_target $what $core
}
proc synth_ip {core} {
    record synth_ip $core
    set ::made($core) 1
}
proc check_core {core properties} {
    foreach {name value} $properties {
        if {[string range $name 7 end] ni [dict get $::core_properties $::cores($core)]} {
            error "$core has no property $name"
        }
        if {[string match *_size $name] && ![string is digit -strict $value]} {
            error "$name of $core is $value, and no whole number"
        }
    }
}
# Nets of the top: a vector has one for each link.
proc get_nets args {
    allow get_nets $args {-quiet -hierarchical -filter}
    if {"-filter" in $args} {
        return [lindex $args end]
    }
    if {![info exists ::synthesized]} {
        error "there are no nets before synth_design"
    }
    set file [open rtl/$::synthesized.v]
    set text [read $file]
    close $file
    set nets {}
    foreach pattern [lindex $args end] {
        set name [string trimright $pattern *]
        if {[regexp "\n *wire +$name;" $text]} {
            lappend nets $name
        } elseif {[regexp "\n *wire +\\\[LINKS-1:0\\\] +$name;" $text] && [regexp {LINKS = (\d+);} $text whole links]} {
            for {set link 0} {$link < $links} {incr link} {
                lappend nets ${name}_$link
            }
        }
    }
    return $nets
}
proc get_pins args { return [lindex $args end] }
proc get_cells args { return [lindex $args end] }
proc get_clocks args {
    allow get_clocks $args {-of_objects -quiet}
    return [lindex $args end]
}
plain {set_max_delay {-datapath_only -from -to}}
proc get_timing_paths args {
    allow get_timing_paths $args {-delay_type -max_paths -nworst}
    return worst_path
}
proc get_property args {
    if {[lrange $args 0 1] eq {-min PERIOD}} {
        return 3.1
    }
    lassign $args name object
    if {$name ne "SLACK" || $object ne "worst_path"} {
        error "get_property $name $object"
    }
    return $::slack
}
proc write_bitstream {force file} {
    record write_bitstream $force $file
    write_file $file bitstream
}

# Quartus
foreach name {project flow report} {
    package provide ::quartus::$name 1.0
}
plain {project_new {-overwrite} export_assignments {} load_report {} unload_report {} project_close {}}
proc set_global_assignment {flag name value} {
    allow set_global_assignment [list $flag] {-name}
    record set_global_assignment $name $value
    if {$name in {VERILOG_FILE SDC_FILE IP_FILE}} {
        must_exist $value
    }
    if {$name eq "SDC_FILE"} {
        uplevel #0 [list source $value]
    }
    if {$name eq "TOP_LEVEL_ENTITY"} {
        set ::entity $value
    }
}
proc set_location_assignment {pin to port} {
    get_ports [list $port]
    record set_location_assignment $pin $to $port
}
proc set_instance_assignment {flag name value to port} {
    get_ports [list $port]
    record set_instance_assignment $flag $name $value $to $port
}
proc execute_flow {what} {
    record execute_flow $what
    write_file output/$::entity.sof bitstream
}
proc get_report_panel_names {} {
    set program [expr {$::found eq "timequest" ? "TimeQuest Timing Analyzer" : "Timing Analyzer"}]
    return [list "Fitter||Fitter Summary" "$program||Multicorner Timing Analysis Summary" "$program||Clocks"]
}
proc get_report_panel_data args {
    allow get_report_panel_data $args {-name -row -col}
    if {[dict get $args -name] ne [lindex [get_report_panel_names] 1]} {
        error "no panel [dict get $args -name]"
    }
    return [expr {$::found eq "pulse" && [dict get $args -col] == 5 ? -0.1 : $::slack}]
}
# Programs that the script starts: the one that makes IPs.
set quartus(quartus_rootpath) /opt/quartus
rename exec start
proc exec args {
    record exec {*}$args
    if {[lindex $args 0] ne "/opt/quartus/sopc_builder/bin/ip-deploy"} {
        error "exec $args"
    }
    regexp -- {--output-name=(\S+)} $args whole name
    write_file $name.ip ip
}

# Gowin: reports count violated end points.
proc set_device {flag version part} {
    allow set_device [list $flag] {-device_version}
    record set_device $version $part
}
proc add_file {flag type file} {
    must_exist $file
    record add_file $type $file
}
set options {
    -synthesis_tool -top_module -verilog_std -output_base_name -gen_text_timing_rpt
    -use_sspi_as_gpio -use_mspi_as_gpio -use_ready_as_gpio -use_done_as_gpio
}
proc set_option {option value} {
    allow set_option [list $option] $::options
    record set_option $option $value
    if {$option eq "-output_base_name"} {
        set ::base $value
    }
}
proc run {what} {
    record run $what
    set violated [expr {$::slack < 0}]
    write_file impl/pnr/$::base.tr \
        "Numbers of Setup Violated Endpoints: $violated\nNumbers of Hold Violated Endpoints: 0"
    write_file impl/pnr/$::base.fs bitstream
}

# Radiant
plain {prj_save {} prj_close {} prj_set_impl_opt {-impl}}
proc prj_create args {
    allow prj_create $args {-name -impl -dev -performance -synthesis}
    record prj_create {*}$args
    set ::project [dict get $args -name]
}
proc prj_add_source {file} {
    must_exist $file
    record prj_add_source $file
    if {[file extension $file] in {.pdc .ldc}} {
        uplevel #0 [list source $file]
    }
}
proc prj_run {step args} {
    allow prj_run $args {-impl -task}
    record prj_run $step {*}$args
    if {$step eq "Export"} {
        set violated [expr {$::slack < 0}]
        write_file impl_1/${::project}_impl_1.twr \
            "Timing Errors: $violated endpoints (setup), 0 endpoints (hold)"
        write_file impl_1/${::project}_impl_1.bit bitstream
    }
}

# A port without a pin would be placed anywhere. Gowin's pins are no Tcl: the test reads them itself.
rename exit checked_exit
proc exit {{code 0}} {
    if {![file exists board.cst]} {
        foreach port $::ports {
            if {![info exists ::constrained($port)]} {
                puts stderr "no constraint names port $port"
                leave 3
            }
        }
    }
    checked_exit $code
}

if {[catch {source build.tcl} message]} {
    puts stderr "build.tcl: $message"
    leave 2
}
