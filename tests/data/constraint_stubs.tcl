# Stands in for Vivado and Quartus while they read timing exceptions: finds cells and registers among
# those of the elaborated design, fails when there are none. Run by tests/fpga_constraints.rs as
#   tclsh constraint_stubs.tcl NAMES CONSTRAINTS
# NAMES holds what tests/common/elaborated.rs lists. Prints every exception with the number of cells.
lassign $argv names constraints
set instances {}
set cells {}
set file [open $names]
foreach line [split [string trim [read $file]] \n] {
    lassign $line kind path more
    switch $kind {
        instance {
            lappend instances $path $more
        }
        register {
            for {set bit 0} {$bit < $more} {incr bit} {
                lappend cells $path $bit
            }
        }
        memory {
            lappend cells $path 0
        }
    }
}
close $file

# Those that match; brackets of a pattern mean themselves.
proc found {pattern names} {
    set pattern [string map {\[ \\\[ \] \\\]} $pattern]
    set matching [lsearch -all -inline -glob $names $pattern]
    if {[llength $matching] == 0} {
        error "the design has nothing called $pattern"
    }
    return $matching
}

# Vivado: a register's bits are NAME_reg[bit], below instances with `/`.
proc get_cells args {
    global instances cells
    if {"-hierarchical" in $args} {
        set matching {}
        foreach {path module} $instances {
            foreach {whole pattern} [regexp -all -inline {=~ (\S+)} [lindex $args end]] {
                if {[string match $pattern $module] && $path ni $matching} {
                    lappend matching $path
                }
            }
        }
        if {[llength $matching] == 0} {
            error "no instance is one of [lindex $args end]"
        }
        return $matching
    }
    set known {}
    foreach {path bit} $cells {
        lappend known ${path}_reg\[$bit\]
    }
    return [found [lindex $args end] $known]
}

# Quartus: a register's bits are NAME[bit], below instances with `|`.
proc get_registers {pattern} {
    global cells
    set known {}
    foreach {path bit} $cells {
        lappend known [string map {/ |} $path]\[$bit\]
    }
    return [found $pattern $known]
}

foreach command {set_max_delay set_bus_skew set_false_path set_max_skew set_net_delay} {
    proc $command args {
        set from [lindex $args [lsearch $args -from]+1]
        set to [lindex $args [lsearch $args -to]+1]
        puts "[lindex [info level 0] 0] [llength $from] [llength $to]"
    }
}
source $constraints
