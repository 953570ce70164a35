#!/usr/bin/env python3
"""Plants single faults at random into all Verilog files of a generated network and expects the checks to find each.

Every fault gets its own copy of the folder. The checks run in the order of their measured cost until one reports it:
for the top, nodes and cables `cosim --rtl` (wiring against the plan, then lockstep), `lint`, `cosim --flat`; for the
files of blocks the lockstep of each block kind that holds the file (`cosim --rtl --block`, in Icarus Verilog first,
then in Verilator with three seeds), `lint`, `cosim --flat`. A fault after which Verilator writes the same model, with
the parameters of this network, is none: it is replaced by another. A file that the model does not contain at all gives
its faults to the largest files. Survivors need a reason in
tools/planted_rtl_reasons.toml; none may be in the top, nodes, cables or tables.

Rows go to DIR/rows.json as they come. A second run goes on where the first ended, as long as program, checks and
network are the same. Usage: tools/planted_rtl.py MKNS [--count N] [--seed S] [--minutes M] [--only FILE]
"""

import argparse
import concurrent.futures
import hashlib
import inspect
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPEC = "MKNS(2,4,2,1)"
# Holds the files that are the same for every network in a model that is built in a tenth of the time.
SMALL = "MKNS(1,2,1,1)"
# The quicker in Icarus Verilog first; Verilator is quicker with the other.
BLOCKS = ["switch", "adapter"]
SEEDS = 3
# Changes of one file in vain: a file of which the model contains next to nothing gives its faults to the largest files.
MOST_ALIKE = 4
# Of one check; far more than the slowest takes on a quiet machine.
PATIENCE = 3600
# Faults in files that hold the network together; the others share the rest by size, each at least one.
SHARES = {"tables": 18, "top": 42, "adapter_node": 14, "switch_node": 14, "cable": 8, "link_pipe": 4}
# What a check says of RTL that is wrong, in contrast to a machine that is: wiring differs, a tool refuses the file.
FOUND = {4, 5, 7}
REFUSALS = re.compile(r"(error\[E\d+\]: .*)")


def blanked(text):
    """The text with comments as spaces, so that places stay."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def bare(text):
    """What is left of the text without comments and white space."""
    return re.sub(r"\s+", "", blanked(text))


def closing(text, at):
    """The place of the parenthesis, bracket or brace that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return len(text)


def split(text, start, end):
    """Ranges between the commas of a list, without white space around them."""
    depth, begun, ranges = 0, start, []
    for place in range(start, end + 1):
        if place == end or text[place] == "," and depth == 0:
            part = text[begun:place]
            left = len(part) - len(part.lstrip())
            ranges.append((begun + left, begun + left + len(part.strip())))
            begun = place + 1
        else:
            depth += (text[place] in "([{") - (text[place] in ")]}")
    return ranges


def guards(text):
    """Ranges that only refuse illegal parameters."""
    for found in re.finditer(r"\bif \(", text):
        end = closing(text, found.end() - 1)
        if re.match(r"\)\s*begin : gen_check", text[end:]):
            yield found.start(), text.find("end", end + 1 + len(" begin")) + 3


def set_everywhere(name, files):
    """Parameters that every instance of a module sets, whose defaults therefore mean nothing."""
    heads = [closing(text, found.end() - 1) and text[found.end():closing(text, found.end() - 1)]
             for text in files.values() for found in re.finditer(rf"(?<!module )\b{name} #\(", text)]
    names = [set(re.findall(r"\.(\w+)\(", head)) for head in heads]
    return set.intersection(*names) if names else set()


def changes(name, text, files):
    """All faults of a file: kind, start, end, what stands there instead."""
    code = blanked(text)
    module = re.search(r"\bmodule (\w+)", code)
    body = module.start() if module else 0
    found = []
    pairs = {"==": "!=", "!=": "==", "&&": "||", "||": "&&", "<": ">=", ">": "<=", ">=": "<", "+": "-", "-": "+", "&": "|",
             "|": "&", "^": "&", "<<": ">>", ">>": "<<"}
    for match in re.finditer(r"(?<= )(==|!=|&&|\|\||<<|>>|>=|<|>|\+|-|&|\||\^)(?= )", code):
        found.append(("operator", match.start(), match.end(), pairs[match.group()]))
    for match in re.finditer(r"\bif \(", code):
        end = closing(code, match.end() - 1)
        inside = text[match.end():end]
        found.append(("condition", match.end(), end, f"!({inside})"))
    for match in re.finditer(r"(?<![\w)~])[!~](?=[\w({])", code):
        found.append(("condition", match.start(), match.end(), ""))
    for match in re.finditer(r"(?<![\w'.$])(\d+)'([bdh])([0-9a-f_]+)", code):
        width, base = int(match[1]), {"b": 2, "d": 10, "h": 16}[match[2]]
        value = int(match[3].replace("_", ""), base)
        is_table = name.endswith("_top.v") and re.search(r"\bTABLE\w* = $", code[match.start() - 40:match.start()])
        if is_table:
            for bit in range(width):
                if bit % 16 < 8:
                    found.append(("table", match.start(), match.end(), f"{width}'h{value ^ (1 << bit):x}"))
        else:
            form = {"b": "b", "d": "d", "h": "x"}[match[2]]
            found.append(("constant", match.start(), match.end(), f"{width}'{match[2]}{(value + 1) % (1 << width):{form}}"))
    for match in re.finditer(r"(?<![\w'.$])\d+(?![\w'])", code):
        number = int(match.group())
        kind = "parameter" if re.search(r"(\.[A-Z]\w*\(|(parameter|localparam)[^;,]* = )$", code[max(0, match.start() - 100):match.start()]) else "constant"
        for other in {number + 1, max(0, number - 1)} - {number}:
            found.append((kind, match.start(), match.end(), str(other)))
    for match in re.finditer(r"\[([^\[\]]+?)(:| \+: )([^\[\]]+)\]", code):
        high, low = text[match.start(1):match.end(1)], text[match.start(3):match.end(3)]
        for new in ((f"[{high}+1{match[2]}{low}]", f"[{high}-1{match[2]}{low}]") if match[2] != ":" else
                    (f"[{high}-1{match[2]}{low}]", f"[{high}{match[2]}{low}+1]")):
            found.append(("slice", match.start(), match.end(), new))
    for match in re.finditer(r"^[ \t]+(assign )?([\w\[\]:+*\- ]+|\{[^;={]*\}) (<=|=) [^;\n]*;", code, re.MULTILINE):
        if not re.match(r"\s*(wire|reg|localparam|parameter|integer|for|genvar)\b", match.group()):
            found.append(("dropped", match.start(), match.end(), "" if match[1] else ";"))
    for match in re.finditer(r"\.(\w+)\(", code):
        end = closing(code, match.end() - 1)
        other = re.match(r",\s*\.(\w+)\(", code[end + 1:])
        if other:
            start = end + 1 + other.end()
            last = closing(code, start - 1)
            new = text[start:last] + text[end:start] + text[match.end():end]
            found.append(("swapped", match.end(), last, new))
    for match in re.finditer(r"(?<!\})\{", code):
        ranges = split(code, match.end(), closing(code, match.start()))
        for (a, b), (c, d) in zip(ranges, ranges[1:]):
            found.append(("swapped", a, d, text[c:d] + text[b:c] + text[a:b]))
    ignored, always_set = list(guards(code)), set_everywhere(module[1], files)
    for default in re.finditer(r"\bparameter (?:integer |\[[^\]]*\] )*(\w+)\s*= ([^,/\n)]*)", code):
        if default[1] in always_set:
            ignored.append(default.span(2))
    seen = set()
    for kind, start, end, new in sorted(found):
        inside = any(a <= start < b for a, b in ignored)
        if start >= body and not inside and bare(text[start:end]) != bare(new) and (start, end, new) not in seen:
            seen.add((start, end, new))
            yield kind, start, end, new


def role(name, kind):
    """What a file is for the network: `tables`, `top`, `node`, `cable` or `block`."""
    if name.endswith("_top.v"):
        return "tables" if kind == "table" else "top"
    return "node" if name.endswith("_node.v") else "cable" if name in ("cable.v", "link_pipe.v") else "block"


def share(name, kind):
    stem = Path(name).stem
    whole = role(name, kind)
    if whole in ("tables", "top"):
        return whole
    return next((share for share in SHARES if whole != "block" and stem.endswith(share)), name)


def drawn(files, count, seed):
    """Faults in the order in which they are tried, for every share; and how many of each are wanted."""
    rng = random.Random(seed)
    pools = {}
    for name in sorted(files):
        for kind, start, end, new in changes(name, files[name], files):
            pools.setdefault(share(name, kind), {}).setdefault(kind, []).append((name, kind, start, end, new))
    orders = {}
    for key, kinds in sorted(pools.items()):
        order = []
        for pool in kinds.values():
            rng.shuffle(pool)
        # A kind of fault in turn, so that those with many places do not drown the others.
        while kinds:
            for kind in rng.sample(sorted(kinds), len(kinds)):
                order.append(kinds[kind].pop())
                if not kinds[kind]:
                    del kinds[kind]
        orders[key] = order
    scale = count / 200
    wanted = {key: max(1, round(SHARES[key] * scale)) for key in orders if key in SHARES}
    others = [key for key in orders if key not in SHARES]
    rest = max(len(others), count - sum(wanted.values()))
    wanted |= {key: 1 for key in others}
    weights = [len(files[key]) for key in others]
    for key in rng.choices(others, weights, k=rest - len(others)):
        wanted[key] += 1
    return orders, wanted


def holders(name, files):
    """The block kinds whose modules include a file."""
    module = Path(name).stem
    modules = {Path(file).stem: set(re.findall(r"^\s*(\w+) (?:#\(|\w+ \()", text, re.MULTILINE)) for file, text in files.items()}

    def below(top):
        found, pending = set(), [top]
        while pending:
            one = pending.pop()
            if one in modules and one not in found:
                found.add(one)
                pending.extend(modules[one])
        return found
    return [block for block in BLOCKS if module in below(f"{block}_block")]


class Campaign:
    def __init__(self, given):
        self.mkns, self.out = Path(given.mkns).resolve(), given.out.resolve()
        self.cache = self.out / "cache"
        self.out.mkdir(parents=True, exist_ok=True)
        self.net = self.generated(SPEC, "net")
        self.small = self.generated(SMALL, "small")
        self.files = {path.name: path.read_text() for path in sorted((self.net / "rtl").glob("*.v"))}
        key = hashlib.sha256(self.mkns.read_bytes() + inspect.getsource(Campaign.checks).encode())
        for name, text in self.files.items():
            key.update(f"{name}\0{text}\0".encode())
        self.key = key.hexdigest()[:16]
        self.lock = threading.Lock()
        self.path = self.out / "rows.json"
        old = json.loads(self.path.read_text()) if self.path.exists() else {}
        old = old if old.get("key") == self.key else {}
        self.known = {row["id"]: row for row in old.get("rows", []) if "broken" not in row}
        # Checks that were seen to pass without a fault.
        self.sound = set(old.get("sound", []))
        self.sound_lock = threading.Lock()
        self.rows = []
        reasons = tomllib.loads((ROOT / "tools/planted_rtl_reasons.toml").read_text()).get("reason", [])
        self.reasons = {(one["file"], one["before"], one["after"]): one["why"] for one in reasons}
        self.plain = {}
        # By file, whether the model of the network is the same without it; known of those that were asked.
        self.unused = {}
        # By file, changes that left the model the same.
        self.alike = Counter()

    def generated(self, spec, name):
        folder = self.out / name
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([self.mkns, "generate", spec, "-o", folder, "-q"], check=True, stdout=subprocess.DEVNULL)
        return folder

    def run(self, words, cache):
        """What a check reports, if anything."""
        environment = {**os.environ, "MKNS_CACHE": str(cache), "MKNS_TOOLS": os.environ.get("MKNS_TOOLS", str(ROOT / ".tools"))}
        command = [str(self.mkns), *map(str, words)]
        # Several compilers of a run share the machine with others.
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, cwd=self.out)
        if ended.returncode == 0:
            return None
        said = ended.stderr + ended.stdout
        refusal = REFUSALS.search(said)
        if ended.returncode not in FOUND:
            raise RuntimeError(f"{' '.join(command)}: exit code {ended.returncode}: {said[-500:]}")
        words = refusal[1] if refusal else next((line for line in said.splitlines() if "differ" in line or "FAIL" in line.upper()), "")
        return words[:160] or f"exit code {ended.returncode}"

    def checks(self, fault, folder, small):
        """Names of the checks of a fault and what they run, the cheapest first."""
        name = fault["file"]
        cosim = ["cosim", SPEC, "--rtl", folder]
        blocks = holders(name, self.files) if fault["role"] == "block" else []
        if not blocks and name != "link_pipe.v":
            yield "cosim --rtl", [[*cosim, "--cycles", 300]]
        for block in blocks:
            yield f"cosim --rtl ({block}, icarus)", [[*cosim, "--block", block, "--simulator", "icarus", "--cycles", 600]]
        for block in reversed(blocks):
            yield f"cosim --rtl ({block})", [[*cosim, "--block", block, "--seeds", SEEDS]]
        if name in ("link_pipe.v", "cable.v"):
            yield f"cosim --flat of {SMALL}", [["cosim", SMALL, "--rtl", small, "--flat", "--cycles", 300]]
        yield "lint", [["lint", folder]]
        yield "cosim --flat", [[*cosim, "--flat", "--cycles", 300]]

    def model(self, folder, top):
        """What Verilator makes of a module of the network with the parameters there, without comments; None if nothing."""
        # Not in the folder of the network, which others copy.
        work = self.out / f"verilated_{os.getpid()}_{threading.get_ident()}"
        verilator = Path(os.environ.get("MKNS_TOOLS", ROOT / ".tools")) / "verilator/bin/verilator"
        program = str(verilator) if verilator.exists() else shutil.which("verilator")
        command = [program, "--cc", "-Wno-fatal", "-Wno-lint", "--top-module", top, "--Mdir", str(work), "--prefix", "V",
                   *(str(path) for path in sorted((folder / "rtl").glob("*.v")))]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        text = "".join(f"{path.name}\n" + re.sub(r"\s*//.*", "", path.read_text()) for path in sorted(work.glob("*"))
                       if path.suffix in (".cpp", ".h")) if ended.returncode == 0 else None
        shutil.rmtree(work, ignore_errors=True)
        return text and re.sub(r'"[^"\n]*\.v", \d+', '".v", 0', text)

    def is_unused(self, name):
        """Whether the network is the same model without a file."""
        if name not in self.unused:
            copy = self.out / f"without_{os.getpid()}_{name}"
            shutil.copytree(self.net, copy)
            (copy / "rtl" / name).unlink()
            self.unused[name] = self.is_same({"file": name}, copy)
            shutil.rmtree(copy)
            if self.unused[name]:
                print(f"    {name}: the model of this network does not contain it", flush=True)
        return self.unused[name]

    def is_same(self, fault, folder):
        """Whether the network with a fault is the same model as without, with the parameters that it has."""
        stem = self.net_name()
        nodes = [f"{stem}_{block}_node" for block in holders(fault["file"], self.files)]
        for top in nodes or [f"{stem}_top"]:
            with self.lock:
                if top not in self.plain:
                    self.plain[top] = self.model(self.net, top)
            if self.model(folder, top) != self.plain[top]:
                return False
        return True

    def net_name(self):
        return next(name for name in self.files if name.endswith("_top.v"))[:-len("_top.v")]

    def try_fault(self, number, candidate):
        name, kind, start, end, new = candidate
        text = self.files[name]
        first, last = text.rfind("\n", 0, start) + 1, (text.find("\n", end) + 1 or len(text))
        changed = text[:start] + new + text[end:]
        fault = {"id": hashlib.sha256(f"{name}\0{changed}".encode()).hexdigest()[:16], "file": name, "role": role(name, kind),
                 "line": text.count("\n", 0, start) + 1, "kind": kind, "before": squeezed(text[first:last]),
                 "after": squeezed(changed[first:last + len(new) - (end - start)])}
        fault["reason"] = self.reasons.get((name, fault["before"], fault["after"]))
        if fault["id"] in self.known:
            return {**self.known[fault["id"]], "reason": fault["reason"]}
        copy = self.out / f"fault_{os.getpid()}_{number}"
        folder, small = copy / "net", copy / "small"
        shutil.copytree(self.net, folder)
        shutil.copytree(self.small, small)
        for place in (folder, small):
            if (place / "rtl" / name).exists():
                (place / "rtl" / name).write_text(changed)
        begun, times = time.monotonic(), {}
        # A cache of its own where a model is built of the changed file: nothing stale can stand for it.
        cache = copy / "cache" if fault["role"] in ("block", "cable") else self.cache
        try:
            # Where one change of the file was none, so may this be: that is cheaper to ask first.
            if self.alike[name] and fault["role"] == "block" and self.is_same(fault, folder):
                fault["same"] = True
                return {**fault, "seconds": round(time.monotonic() - begun, 1), "times": times}
            for check, runs in self.checks(fault, folder, small):
                # What all lockstep has passed may be no fault; that is cheaper to know than the rest.
                if (check == "lint" or check.startswith("cosim --flat of")) and "same" not in fault:
                    fault["same"] = self.is_same(fault, folder)
                    if fault["same"]:
                        break
                if check in ("lint", "cosim --flat") and fault["reason"]:
                    continue
                at = time.monotonic()
                said = next((said for words in runs if (said := self.run(words, cache))), None)
                times[check] = round(time.monotonic() - at, 1)
                if said:
                    self.expect_sound(fault, check)
                    fault |= {"found_by": check, "said": said}
                    break
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            # Neither found nor passed: counts as a survivor.
            fault["broken"] = str(error)
        finally:
            shutil.rmtree(copy, ignore_errors=True)
        return {**fault, "seconds": round(time.monotonic() - begun, 1), "times": times}

    def keep(self, row):
        with self.lock:
            if row["id"] not in self.known:
                self.known[row["id"]] = row
            self.rows.append(row)
            document = {"key": self.key, "spec": SPEC, "sound": sorted(self.sound), "rows": list(self.known.values())}
            self.path.with_suffix(".new").write_text(json.dumps(document, indent=1) + "\n")
            self.path.with_suffix(".new").replace(self.path)
            verdict = "no fault: the same model" if row.get("same") else row.get("found_by") or "SURVIVES"
            print(f"{len([one for one in self.rows if not one.get('same')]):>3} {row['seconds']:6.1f} s  {verdict:<28} "
                  f"{row['file']}:{row['line']} {row['kind']}: {row['after'][:70]}", flush=True)

    def expect_sound(self, fault, check):
        """A check passes on the folder as generated, or nothing that it reports means anything. Asked once of each."""
        with self.sound_lock:
            if check in self.sound:
                return
            for words in dict(self.checks(fault, self.net, self.small))[check]:
                said = self.run(words, self.cache)
                if said:
                    raise RuntimeError(f"without a fault, {check} reports: {said}")
            self.sound.add(check)


def squeezed(text):
    """Code on one line."""
    return " ".join(blanked(text).split())


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("mkns", help="the program")
    arguments.add_argument("--count", type=int, default=200, help="faults")
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--jobs", type=int, default=2, help="faults at a time")
    arguments.add_argument("--minutes", type=float, default=600, help="begin no fault after this many")
    arguments.add_argument("--only", default="", help="shares whose name contains this")
    arguments.add_argument("--out", type=Path, default=ROOT / "target/plant-rtl")
    arguments.add_argument("--list", action="store_true", help="print the faults, try none")
    given = arguments.parse_args()
    campaign = Campaign(given)
    orders, wanted = drawn(campaign.files, given.count, given.seed)
    if given.list:
        for key, order in orders.items():
            for name, kind, start, end, new in order[:wanted[key]]:
                line = campaign.files[name].count("\n", 0, start) + 1
                print(f"{key:<16} {name}:{line} {kind}: {squeezed(campaign.files[name][start:end])} => {squeezed(new)}")
        return
    end = time.monotonic() + 60 * given.minutes
    # What is found without a model comes first; then all shares in turn.
    shares = [key for key in orders if given.only in key]
    places = {key: iter(enumerate(orders[key])) for key in shares}
    largest = sorted((key for key in shares if key not in SHARES), key=lambda key: len(campaign.files[key]), reverse=True)
    cheap = [key for key in SHARES if key not in ("cable", "link_pipe")]
    turns = sorted((key not in cheap, index / wanted[key], key) for key in shares for index in range(wanted[key]))

    def take(key):
        """Faults of a share until one is a fault."""
        while time.monotonic() < end:
            with campaign.lock:
                number, candidate = next(places[key], (None, None))
            if candidate is None:
                return
            row = campaign.try_fault(f"{key}_{number}", candidate)
            campaign.keep(row)
            if not row.get("same"):
                return
            campaign.alike[row["file"]] += 1
            if row["role"] == "block" and (campaign.alike[row["file"]] > MOST_ALIKE or campaign.is_unused(row["file"])):
                key = next(key for key in largest if not campaign.unused.get(key))
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for done in [pool.submit(take, key) for *_, key in turns]:
            done.result()
    sys.exit(summary(campaign.rows, sum(wanted[key] for key in shares)))


def summary(rows, wanted):
    """Prints what was found by which check; whether something is left to do."""
    faults = [row for row in rows if not row.get("same")]
    survivors = [row for row in faults if "found_by" not in row]
    for check, number in Counter(row["found_by"] for row in faults if "found_by" in row).most_common():
        print(f"{number:>4} found by {check}")
    print(f"{len(rows) - len(faults):>4} changes that leave the model the same, replaced")
    for row in survivors:
        print(f"SURVIVES {row['file']}:{row['line']} ({row['role']}): {row.get('broken') or row['reason'] or 'no reason is known'}\n"
              f"    before: {row['before']}\n    after:  {row['after']}")
    bad = [row for row in survivors if row["role"] != "block" or not row["reason"] or "broken" in row]
    print(f"{len(faults)} faults of {wanted}, {len(survivors)} survive, {len(bad)} of them without a reason or outside blocks")
    return 1 if bad or len(faults) < wanted else 0


if __name__ == "__main__":
    main()
