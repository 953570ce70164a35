#!/bin/sh
# ABC as SymbiYosys calls it. Debian's ABC (2022) does not know the option -l of `pdr` that
# SymbiYosys adds; without it the output is the same.
exec berkeley-abc -c "$(printf '%s' "$2" | sed 's/pdr -v -l/pdr -v/')"
