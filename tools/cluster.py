#!/usr/bin/env python3
"""A study on the Slurm of this machine while parts of it are killed: `tools/cluster.py MKNS [RUNS]`.

The same 200 simulations are run locally and as an array. Meanwhile a task, the node daemon and the program that
submits are killed in turn, and `--resume` goes on each time. At the end the rows of both folders have to be equal but
for columns that depend on the machine.
"""

import csv
import os
import pathlib
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent / "slurm_here.sh"
OF_THE_MACHINE = {"seconds", "host", "version", "router_cycles_per_second", "set_up_seconds", "detail"}
STUDY = """
[slurm]
task_minutes = {minutes}

[options]
cycles = 3000
warmup = 500

[[matrix]]
spec = "MKNS(2,8x10,2,1)"
traffic = ["uniform", "transpose"]
load = [0.05, 0.1, 0.15, 0.2, 0.25]
down = [[], ["kb_y0", "ab_0_0_0_0/1"]]
seeds = {half}

[[matrix]]
spec = "torus(4x4,2)"
traffic = ["uniform", "tornado"]
load = "0.05..0.25"
seeds = {seeds}
"""


def fail(text):
    print(f"cluster: {text}", file=sys.stderr)
    sys.exit(1)


def slurm(*words, check=True):
    return subprocess.run(words, check=check, capture_output=True, text=True).stdout


def rows(folder):
    with open(folder / "runs.csv", newline="") as file:
        return [
            {name: cell for name, cell in row.items() if name not in OF_THE_MACHINE}
            for row in csv.DictReader(file)
        ]


def statuses(folder):
    counts = {}
    for row in rows(folder):
        counts[row["status"]] = counts.get(row["status"], 0) + 1
    return counts


class Cluster:
    def __init__(self, mkns, folder, runs):
        self.mkns, self.folder, self.runs = mkns, folder, runs
        self.file = folder / "loads.toml"
        if runs % 40:
            fail("the number of runs is a multiple of 40")
        # Half of them of each matrix: 2 kinds of traffic, 5 loads, of the first with and without failed parts.
        self.file.write_text(STUDY.format(minutes=0.1, half=runs // 40, seeds=runs // 20))
        self.there = folder / "there"

    def study(self, *words, output=None):
        output = output or self.there
        return [self.mkns, "study", str(self.file), "-o", str(output), *words]

    def call(self, *words, codes=(0, 7), output=None):
        ended = subprocess.run(self.study(*words, output=output), capture_output=True, text=True)
        if ended.returncode not in codes:
            fail(f"{' '.join(words)} ends with {ended.returncode}: {ended.stderr}{ended.stdout}")
        return ended.stdout.splitlines()[0] if ended.stdout else ""

    def finished(self):
        return len([name for name in os.listdir(self.there / "runs") if not name.endswith(".lost.json")]) \
            if (self.there / "runs").exists() else 0

    def until(self, what, condition, seconds=180):
        end = time.time() + seconds
        while not condition():
            if time.time() > end:
                fail(f"{what}: not within {seconds} s")
            time.sleep(0.1)

    def tasks(self):
        """Processes of running tasks."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
            if words[1:2] == ["task"] and str(self.there) in words[2]:
                found.append(int(folder.name))
        return found

    def idle(self):
        return not slurm("squeue", "-h", "-o", "%i").split()


def main():
    mkns = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    folder = pathlib.Path("target/cluster").absolute()
    if folder.exists():
        subprocess.run(["rm", "-r", str(folder)], check=True)
    folder.mkdir(parents=True)
    said = subprocess.run([str(HERE), "up"], check=True, capture_output=True, text=True).stdout
    os.environ["SLURM_CONF"] = said.strip().splitlines()[-1].split("=", 1)[1]
    try:
        check(Cluster(mkns, folder, runs))
    finally:
        subprocess.run([str(HERE), "down"], check=False)


def check(cluster):
    begun = time.time()
    here = cluster.folder / "here"
    print("here:", cluster.call(output=here, codes=(0,)), f"({time.time() - begun:.0f} s)")

    # A task.
    begun = time.time()
    print("slurm:", cluster.call("--on", "slurm", codes=(0,)))
    cluster.until("a task runs", lambda: cluster.tasks() and cluster.finished() > 3)
    os.kill(cluster.tasks()[0], signal.SIGKILL)
    print("killed a task")
    cluster.until("other tasks end", cluster.idle, 600)
    print("collected:", cluster.call("--on", "slurm", "--collect"), statuses(cluster.there))
    if "killed" not in statuses(cluster.there):
        fail("no row says that its task was killed")

    # The node daemon, while tasks run.
    for path in list((cluster.there / "runs").glob("*.json"))[::2]:
        path.unlink()
    print("slurm again:", cluster.call("--on", "slurm", "--resume"))
    cluster.until("a task runs", lambda: bool(cluster.tasks()))
    number = int((pathlib.Path(os.environ["SLURM_CONF"]).parent / "slurmd.pid").read_text())
    os.kill(number, signal.SIGKILL)
    print("killed the node daemon")
    time.sleep(3)
    subprocess.run([str(HERE), "node-up"], check=True)
    cluster.until("tasks end", cluster.idle, 600)
    print("collected:", cluster.call("--on", "slurm", "--collect"), statuses(cluster.there))

    # The submitting program, while it waits.
    for path in list((cluster.there / "runs").glob("*.json"))[::3]:
        path.unlink()
    words = cluster.study("--on", "slurm", "--resume", "--wait")
    program = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cluster.until("a task runs", lambda: bool(cluster.tasks()))
    program.kill()
    program.wait()
    print("killed the submitting program")

    print("resumed:", cluster.call("--on", "slurm", "--resume", "--wait", codes=(0,)))
    there, here = rows(cluster.there), rows(here)
    if len(there) != cluster.runs or len({row["run"] for row in there}) != cluster.runs:
        fail(f"{len(there)} rows, not {cluster.runs}")
    different = [pair for pair in zip(here, there) if pair[0] != pair[1]]
    if different:
        fail(f"{len(different)} rows differ from those of a local run, the first: {different[0]}")
    print(f"{len(there)} rows, equal to those of the local run ({time.time() - begun:.0f} s)")


if __name__ == "__main__":
    main()
