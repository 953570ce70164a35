# Stands in for programs of FPGA makers while they read the constraints of clock crossings. Run by tests/common/constraints.rs as
#   tclsh crossing_stubs.tcl PROGRAM NAMES CONSTRAINTS MODULE
# PROGRAM is vivado, quartus_pro, quartus_standard, diamond or radiant. NAMES holds what tests/common/crossings.rs lists:
#   instance PATH MODULE | register NUMBER PATH NAME BIT (- for one that is no vector) | memory NUMBER PATH NAME
# Vivado reads CONSTRAINTS once for each instance of MODULE, the others once. Prints every exception with the numbers of its
# registers: COMMAND FROM TO, where * is any register. Fails when a name matches nothing, unless the command allows that.
lassign $argv program names constraints module
set instances {}
set entities {}
set registers {}

# The path in Quartus Standard: each instance behind its module.
proc with_entities {path} {
    set done {}
    set result {}
    foreach part [split $path /] {
        lappend done $part
        lappend result [dict get $::entities [join $done /]]:$part
    }
    return [join $result |]
}

# How the program calls a register, given its path, name and bit.
proc full_name {kind path name bit} {
    set index [expr {$bit eq "-" || $bit eq "" ? "" : "\[$bit\]"}]
    switch $::program {
        vivado { set last [expr {$kind eq "memory" ? "${name}_reg_0_15_0_0" : "${name}_reg$index"}] }
        quartus_pro - quartus_standard { set last [expr {$kind eq "memory" ? "${name}_rtl_0|auto" : "$name$index"}] }
        default { set last $name$index }
    }
    if {$path eq "."} {
        return $last
    }
    switch $::program {
        quartus_pro { return [string map {/ |} $path]|$last }
        quartus_standard { return [with_entities $path]|$last }
        default { return $path/$last }
    }
}

set file [open $names]
foreach line [split [string trim [read $file]] \n] {
    lassign $line kind number path name bit
    if {$kind eq "instance"} {
        lappend instances $number $path
        dict set entities $number $path
    } else {
        lappend registers [full_name $kind $path $name $bit] $number
    }
}
close $file

# Numbers of the registers that match; brackets of a pattern mean themselves. In Vivado a star stays within a level.
proc found {pattern is_needed} {
    if {$::program eq "vivado" && $::scope ne "."} {
        set pattern $::scope/$pattern
    }
    set glob [string map {\[ \\\[ \] \\\]} $pattern]
    set levels [regexp -all / $pattern]
    set numbers {}
    foreach {name number} $::registers {
        if {[string match $glob $name] && ($::program ne "vivado" || [regexp -all / $name] == $levels)} {
            lappend numbers $number
        }
    }
    if {$is_needed && [llength $numbers] == 0} {
        error "the design has no register $pattern"
    }
    return $numbers
}

# Vivado and Radiant
proc get_cells args {
    set numbers {}
    foreach pattern [lindex $args end] {
        lappend numbers {*}[found $pattern [expr {"-quiet" ni $args}]]
    }
    return $numbers
}
proc get_ports args { return [lindex $args end] }
proc get_clocks args { return [lindex $args end] }
proc get_property args {
    if {[lrange $args 0 1] ne {-min PERIOD}} {
        error "get_property $args"
    }
    return 4.0
}

# Quartus
proc get_registers args { return [found [lindex $args end] [expr {"-nowarn" ni $args}]] }
proc get_collection_size {collection} { return [llength $collection] }
proc get_entity_instances {entity} {
    set paths {}
    foreach {path module} $::instances {
        if {$module eq $entity} {
            lappend paths [expr {$::program eq "quartus_pro" ? [string map {/ |} $path] : [with_entities $path]}]
        }
    }
    return $paths
}

proc exception {command from to} {
    puts "$command [expr {$from eq "*" ? "*" : [join $from ,]}] [expr {$to eq "*" ? "*" : [join $to ,]}]"
}
set options {
    -from -to -through -quiet -datapath_only -max -get_value_from_clock_period -value_multiplier
    -get_skew_value_from_clock_period -skew_value_multiplier
}
foreach command {set_max_delay set_min_delay set_bus_skew set_false_path set_max_skew set_net_delay} {
    proc $command args {
        foreach word $args {
            if {[string match -* $word] && ![string is double $word] && $word ni $::options} {
                error "[lindex [info level 0] 0] does not know $word"
            }
        }
        if {"-through" in $args} {
            return
        }
        foreach end {from to} {
            set $end *
            if {"-$end" in $args} {
                set $end [lindex $args [lsearch $args -$end]+1]
            }
        }
        if {$from ne "" && $to ne ""} {
            exception [lindex [info level 0] 0] $from $to
        }
    }
}

set scope .
switch $program {
    vivado {
        foreach {path type} $instances {
            if {$type eq $module} {
                set scope $path
                source $constraints
            }
        }
    }
    diamond {
        set file [open $constraints]
        foreach line [split [read $file] \n] {
            if {[regexp {^(MAXDELAY|BLOCK PATH) FROM CELL "(\S+)" TO CELL "(\S+)"( 4.0 ns DATAPATH_ONLY)?;$} $line whole command from to]} {
                set from [expr {$from eq "*" ? "*" : [found $from 1]}]
                exception [expr {$command eq "MAXDELAY" ? "set_max_delay" : "set_false_path"}] $from [found $to 1]
            } elseif {$line ne "" && ![string match #* $line]} {
                error "no preference: $line"
            }
        }
    }
    default { source $constraints }
}
