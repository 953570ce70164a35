#!/usr/bin/env python3
"""Linux talks over a network of `mkns live`: every host is a network namespace with an interface of `mkns interface`.

    python3 tools/live.py target/release/mkns [--model rtl|fast] [--small] [--json FILE]

Every pair of hosts pings; iperf3 runs in both directions; a file travels over HTTP and its checksum matches; an Open MPI
program reduces and passes a ring; in a network with `routing = "vtftr"` a cable fails during a ping, and the manager
repairs it. Rates and round-trip times stand beside those of a plain veth pair. `--small` is four hosts that ping.

It needs root and /dev/net/tun, installs Debian packages that are missing, and touches no network but its own
namespaces, which it removes. The exit code is 0 when everything answers as it should.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

NETWORK, REPAIRED, SMALL = "MKNS(2,4,2,1)", "MKNS(2,4,2,1)", "MKNS(2,2,1,1)"
# A program of each package that is needed.
PROGRAMS = {"ip": "iproute2", "ping": "iputils-ping"}
MORE_PROGRAMS = {"iperf3": "iperf3", "curl": "curl", "mpirun": "openmpi-bin", "mpicc": "libopenmpi-dev"}
RANKS = 8
FILE_BYTES = 10_000_000
# Seconds after which something that has not happened counts as failed.
PATIENCE = 900


class Failed(Exception):
    """Something did not happen as it should."""


def say(words):
    print(words, file=sys.stderr, flush=True)


def install(programs):
    missing = sorted({package for program, package in programs.items() if not shutil.which(program)})
    if not missing:
        return
    say(f"apt-get install {' '.join(missing)}")
    quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False, stdout=subprocess.DEVNULL)
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
    subprocess.run(command, env=quiet, check=True, stdout=subprocess.DEVNULL)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def ended(process):
    """Ends a program as Ctrl-C does; what it printed. SIGINT itself may be ignored, as in a shell's background."""
    process.terminate()
    try:
        return process.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        raise Failed(f"{' '.join(process.args)} does not end") from None


class Hosts:
    """A running network with a namespace for each of its hosts."""

    def __init__(self, mkns, spec, model, more=(), settings=()):
        self.mkns, self.spec, self.model, self.settings = mkns, spec, model, list(settings)
        self.more = list(more)
        self.prefix = f"mkns{os.getpid()}-"
        self.interfaces, self.namespaces = [], []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mkns-live-"))
        self.report = {}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        command = [self.mkns, "live", self.spec, *self.settings, "--model", self.model, "--sockets", self.sockets(),
                   "--format", "json", *self.more]
        self.network = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        until = time.monotonic() + PATIENCE
        while not (self.folder / "net" / "control").exists():
            if self.network.poll() is not None or time.monotonic() > until:
                raise Failed("the network does not start")
            time.sleep(0.05)
        self.count = len(list((self.folder / "net").glob("host_*")))
        for host in range(self.count):
            run(["ip", "netns", "add", self.name(host)])
            self.namespaces.append(host)
            run([*self.inside(host), "ip", "link", "set", "lo", "up"])
            command = [*self.inside(host), self.mkns, "interface", self.spec, *self.settings, "--port",
                       f"live:{self.sockets()}/host_{host}", "--name", "mkns0", "--quiet", "--format", "json"]
            self.interfaces.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        for host in range(self.count):
            while self.address(host) not in run([*self.inside(host), "ip", "-4", "addr"]):
                if self.interfaces[host].poll() is not None or time.monotonic() > until:
                    raise Failed(f"host {host} has no interface")
                time.sleep(0.05)

    def sockets(self):
        return str(self.folder / "net")

    def name(self, host):
        return f"{self.prefix}{host}"

    def inside(self, host):
        return ["ip", "netns", "exec", self.name(host)]

    def address(self, host):
        return f"10.77.{(host + 1) // 256}.{(host + 1) % 256}"

    def ask(self, command):
        return run([self.mkns, "live", "--sockets", self.sockets(), "--ask", command])

    def stop(self):
        """Ends interfaces and network in order; what they reported."""
        self.report["interfaces"] = [json.loads(ended(one)) for one in self.interfaces]
        self.interfaces = []
        self.report["network"] = json.loads(ended(self.network))
        if self.network.returncode != 0:
            raise Failed(f"the network ends with {self.network.returncode}")
        return self.report

    def __exit__(self, *_):
        for process in [*self.interfaces, getattr(self, "network", None)]:
            if process and process.poll() is None:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(10)
                process.kill()
        for host in self.namespaces:
            subprocess.run(["ip", "netns", "del", self.name(host)], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)


class VethPair:
    """Two namespaces that a veth pair joins, for comparison."""

    def __init__(self):
        self.prefix = f"veth{os.getpid()}-"

    def __enter__(self):
        for host in range(2):
            run(["ip", "netns", "add", self.name(host)])
        run(["ip", "link", "add", "v0", "netns", self.name(0), "type", "veth", "peer", "name", "v1", "netns", self.name(1)])
        for host in range(2):
            run([*self.inside(host), "ip", "addr", "add", f"{self.address(host)}/16", "dev", f"v{host}"])
            run([*self.inside(host), "ip", "link", "set", f"v{host}", "up"])
        return self

    name, inside, address = Hosts.name, Hosts.inside, Hosts.address

    def __exit__(self, *_):
        for host in range(2):
            subprocess.run(["ip", "netns", "del", self.name(host)], check=False, stderr=subprocess.DEVNULL)


def ping_all(hosts):
    """Every ordered pair once; how many answer."""
    pairs = [(a, b) for a in range(hosts.count) for b in range(hosts.count) if a != b]

    def answers(pair):
        command = [*hosts.inside(pair[0]), "ping", "-c", "1", "-W", "20", hosts.address(pair[1])]
        return subprocess.run(command, stdout=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode == 0

    with ThreadPoolExecutor(4) as pool:
        answered = sum(pool.map(answers, pairs))
    if answered != len(pairs):
        raise Failed(f"{answered} of {len(pairs)} pairs answer")
    return {"pairs": len(pairs), "answered": answered}


def round_trip(hosts, to):
    """Mean round-trip time of ten pings, ms."""
    said = run([*hosts.inside(0), "ping", "-c", "10", "-i", "0.2", hosts.address(to)])
    return float(re.search(r"= [\d.]+/([\d.]+)/", said)[1])


def iperf(hosts, to, seconds):
    """Rates in both directions, Mbit/s."""
    rates = {}
    for direction, more in (("there", []), ("back", ["-R"])):
        server = subprocess.Popen([*hosts.inside(to), "iperf3", "-s", "-1"], stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        command = [*hosts.inside(0), "iperf3", "-J", "-t", str(seconds), "-c", hosts.address(to), *more]
        said = json.loads(run(command))
        server.wait(60)
        rates[direction] = round(said["end"]["sum_received"]["bits_per_second"] / 1e6, 3)
    return rates


def http(hosts, to):
    """A file over HTTP; whether it arrives as it is."""
    folder = hosts.folder / "http"
    folder.mkdir()
    content = os.urandom(FILE_BYTES)
    (folder / "file").write_bytes(content)
    command = [*hosts.inside(to), sys.executable, "-m", "http.server", "8000", "--directory", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        start = time.monotonic()
        url = f"http://{hosts.address(to)}:8000/file"
        command = [*hosts.inside(0), "curl", "-s", "--retry", "20", "--retry-connrefused", "--retry-delay", "1", "-o",
                   str(hosts.folder / "came"), url]
        run(command)
        seconds = time.monotonic() - start
    finally:
        server.kill()
        server.wait()
    came = (hosts.folder / "came").read_bytes()
    if hashlib.sha256(came).digest() != hashlib.sha256(content).digest():
        raise Failed("the file that came over HTTP differs")
    return {"bytes": len(came), "seconds": round(seconds, 2), "mbit_per_s": round(8e-6 * len(came) / seconds, 3)}


def mpi(hosts):
    """All-reduce and ring of eight ranks, one per adapter block."""
    program, agent = hosts.folder / "live_mpi", hosts.folder / "agent"
    run(["mpicc", "-O2", "-o", str(program), str(pathlib.Path(__file__).with_name("live_mpi.c"))])
    names = {hosts.address(host): hosts.name(host) for host in range(hosts.count)}
    cases = "\n".join(f"    {address}) name={name} ;;" for address, name in names.items())
    # A folder for each "machine": the daemons of real ones do not share theirs.
    agent.write_text(f'#!/bin/sh\ncase $1 in\n{cases}\nesac\nshift\nmkdir -p {hosts.folder}/tmp-$name\n'
                     f'TMPDIR={hosts.folder}/tmp-$name exec ip netns exec "$name" sh -c "$*"\n')
    agent.chmod(0o755)
    ranks = [hosts.address(host * hosts.count // RANKS) for host in range(RANKS)]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = [*hosts.inside(0), "mpirun", "-np", str(RANKS), "--host", ",".join(ranks),
               "--mca", "plm_rsh_agent", str(agent), "--mca", "rtc", "^hwloc", "--mca", "btl", "tcp,self",
               "--mca", "btl_tcp_if_include", "mkns0", "--mca", "oob_tcp_if_include", "mkns0", str(program)]
    return json.loads(run(command, env=environment).strip().splitlines()[-1])


def repair(mkns, model):
    """A cable on the way of a ping fails; how many pings are lost until the manager has repaired it."""
    with Hosts(mkns, REPAIRED, model, ["--manager"], ["--set", "routing=vtftr"]) as hosts:
        to = hosts.count - 1
        seconds = 60 if model == "rtl" else 20
        command = [*hosts.inside(0), "ping", "-i", "0.2", "-w", str(seconds), "-O", hosts.address(to)]
        ping = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        threading.Timer(seconds / 4, lambda: hosts.ask(f"fail {cable_of_host(hosts, to)}")).start()
        said = ping.communicate(timeout=PATIENCE)[0]
        report = hosts.stop()["network"]
    answered = [int(number) for number in re.findall(r"from [\d.]+: icmp_seq=(\d+)", said)]
    sent = int(re.search(r"(\d+) packets transmitted", said)[1])
    missing = sorted(set(range(1, sent)) - set(answered))
    if not report["failures"] or not report["repairs"]:
        raise Failed("the manager has repaired nothing")
    if not answered or max(answered) < sent - 5:
        raise Failed(f"pings stay lost after the repair: the last of {sent} that is answered is {max(answered, default=0)}")
    return {"sent": sent, "lost": len(missing), "failed": report["failures"][0]["part"],
            "repair_cycles": report["repairs"][0]["cycles"]}


def cable_of_host(hosts, to):
    """The first cable on the way from host 0 to another one."""
    said = json.loads(run([hosts.mkns, "route", hosts.spec, *hosts.settings, "0", str(to), "--format", "json"]))
    hop = said["hops"][0]
    return f"{hop['name']}/{hop['out']}"


def measure(mkns, model):
    """All that a network carries."""
    results = {}

    def step(name, action):
        say(f"{model}: {name}")
        results[name] = action()
        say(f"{model}: {name}: {json.dumps(results[name])}")

    with Hosts(mkns, NETWORK, model) as hosts:
        far = hosts.count - 1
        step("pings", lambda: ping_all(hosts))
        step("round_trip_ms", lambda: round_trip(hosts, far))
        step("iperf3_mbit_per_s", lambda: iperf(hosts, far, 10))
        step("http", lambda: http(hosts, far))
        step("mpi", lambda: mpi(hosts))
        report = hosts.stop()["network"]
    packets = report["packets"]
    if packets["sent"] != packets["received"] or report["sockets"]["refused"]:
        raise Failed(f"packets are missing: {json.dumps(report)}")
    results["packets"] = packets["sent"]
    results["cycles_per_second"] = round(report["cycles"] / report["seconds"])
    step("repair", lambda: repair(mkns, model))
    return results


def veth():
    with VethPair() as hosts:
        return {"round_trip_ms": round_trip(hosts, 1), "iperf3_mbit_per_s": iperf(hosts, 1, 3)}


def small(mkns, model):
    with Hosts(mkns, SMALL, model) as hosts:
        pings = ping_all(hosts)
        report = hosts.stop()["network"]
    packets = report["packets"]
    if packets["sent"] != packets["received"] or packets["sent"] < 2 * pings["pairs"]:
        raise Failed(f"packets are missing: {json.dumps(report)}")
    return {"pings": pings, "packets": packets["sent"], "hosts": report["hosts"]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mkns", help="the program")
    arguments.add_argument("--model", choices=("rtl", "fast"), action="append", help="default: both")
    arguments.add_argument("--small", action="store_true", help="four hosts that ping")
    arguments.add_argument("--json", metavar="FILE", help="write the results there, too")
    options = arguments.parse_args()
    if os.geteuid() != 0 or not os.path.exists("/dev/net/tun"):
        sys.exit("live: run it as root on a system with /dev/net/tun")
    install(PROGRAMS if options.small else PROGRAMS | MORE_PROGRAMS)
    mkns = str(pathlib.Path(options.mkns).resolve())
    models = options.model or ["fast", "rtl"]
    try:
        if options.small:
            results = {model: small(mkns, model) for model in models}
        else:
            results = {"veth": veth()} | {model: measure(mkns, model) for model in models}
    except (Failed, subprocess.TimeoutExpired) as failure:
        sys.exit(f"live: {failure}")
    text = json.dumps(results, indent=1)
    print(text)
    if options.json:
        pathlib.Path(options.json).write_text(text + "\n")


main()
