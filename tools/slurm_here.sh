#!/bin/sh
# A Slurm of one node on this machine, for trying: `tools/slurm_here.sh up|down|install|status|node-down|node-up`.
#
# Controller, node and munge run on 127.0.0.1 without systemd, as root, with all their files in .tools/slurm. A shell
# that is to use it needs what `up` prints at its end.
set -eu
cd "$(dirname "$0")/.."
# .tools may be a link that several worktrees share
root=$(mkdir -p "$PWD/.tools/slurm" && cd "$PWD/.tools/slurm" && pwd -P)
conf=$root/slurm.conf
socket=$root/munge.socket
host=$(hostname -s)

fail() {
    echo "slurm_here: $1" >&2
    exit "${2:-6}"
}

# apt package <- the question whether it is needed; MKNS_SYSTEM_ROOT is where tests have a machine of their own
missing_packages() {
    system=${MKNS_SYSTEM_ROOT:-}
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null || echo slurm-wlm
    command -v munged >/dev/null || echo munge
    [ "${MPI:-}" = "" ] && return
    command -v mpirun >/dev/null || echo openmpi-bin
    command -v mpicc >/dev/null || echo libopenmpi-dev
    # libclang-cpp.so, which packages of Open MPI bring along, is another library
    ls "$system"/usr/lib/llvm-*/lib/libclang.so >/dev/null 2>&1 ||
        ls "$system"/usr/lib/llvm-*/lib/libclang-[0-9]*.so* >/dev/null 2>&1 || echo libclang-14-dev
}

install() {
    missing=$(missing_packages | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    [ "$(id -u)" = 0 ] || fail "please run as root: apt-get install $missing"
    echo "slurm_here: apt-get install $missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || echo "slurm_here: apt-get update failed, trying with the lists at hand" >&2
    # shellcheck disable=SC2086  # one word per package
    apt-get install -y -qq --no-install-recommends $missing >/dev/null || fail "apt-get failed" 7
}

# number of a daemon's process, if it lives
alive() {
    [ -e "$root/$1.pid" ] || return 1
    number=$(cat "$root/$1.pid" 2>/dev/null) # a daemon that ends takes the file away
    [ -n "$number" ] && grep -qs "$1" "/proc/$number/cmdline"
}

configure() {
    mkdir -p "$root/state" "$root/spool"
    chmod 755 "$root"
    [ -e "$root/munge.key" ] || head -c 1024 /dev/urandom > "$root/munge.key"
    chmod 600 "$root/munge.key"
    cat > "$conf" <<END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=6917
SlurmdPort=6918
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$root/jobs.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=60
KillWait=5
MinJobAge=120
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd.pid
SlurmctldLogFile=$root/slurmctld.log
SlurmdLogFile=$root/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ {print int($2 / 1100)}' /proc/meminfo) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
}

node_up() {
    alive slurmd || slurmd -f "$conf" -N "$host"
}

up() {
    install
    configure
    # A foreign owner of a parent folder is no danger here.
    alive munged || munged --force --socket="$socket" --key-file="$root/munge.key" --pid-file="$root/munged.pid" \
        --log-file="$root/munged.log" --seed-file="$root/munge.seed" 2> "$root/munged.err" \
        || fail "munged does not start: $(cat "$root/munged.err")" 7
    export SLURM_CONF="$conf"
    alive slurmctld || slurmctld -f "$conf"
    node_up
    tries=0
    until sinfo --noheader -o %t 2>/dev/null | grep -Eq 'idle|mix|alloc'; do
        tries=$((tries + 1))
        [ $tries -lt 60 ] || fail "no node after a minute: $(tail -n 5 "$root/slurmctld.log" "$root/slurmd.log")" 7
        sleep 1
    done
    echo "export SLURM_CONF=$conf"
}

# $1: name of a daemon
end() {
    alive "$1" || return 0
    kill "$number"
    tries=0
    while alive "$1" && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    alive "$1" && kill -9 "$number"
    rm -f "$root/$1.pid"
}

case ${1:-} in
    missing) missing_packages ;; # names what `install` would install
    install) install ;;
    up) up ;;
    node-down) end slurmd ;;
    node-up) node_up ;;
    status) SLURM_CONF=$conf sinfo; SLURM_CONF=$conf squeue ;;
    down)
        [ ! -e "$conf" ] || SLURM_CONF=$conf scancel --user=root --quiet 2>/dev/null || true
        end slurmd
        end slurmctld
        end munged
        ;;
    *) echo "usage: tools/slurm_here.sh up|down|install|status|node-down|node-up" >&2; exit 2 ;;
esac
