#!/usr/bin/env python3
"""Licences of the crates that are part of the program, with their texts, for an archive of it."""

import json
import pathlib
import subprocess


def linked(metadata):
    """Packages that the program is linked from; those of tests and build scripts are left out."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, left = set(), [metadata["resolve"]["root"]]
    while left:
        package = left.pop()
        if package not in found:
            found.add(package)
            for dependency in nodes[package]["deps"]:
                if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                    left.append(dependency["pkg"])
    return [package for package in metadata["packages"] if package["id"] in found and package["source"]]


def main():
    asked = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"]
    metadata = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    texts = {}
    for package in sorted(linked(metadata), key=lambda package: package["name"]):
        print(f"{package['name']} {package['version']}: {package['license'] or package['license_file']}")
        folder = pathlib.Path(package["manifest_path"]).parent
        for path in sorted(folder.glob("LICEN[CS]E*")):
            if path.is_file():
                texts.setdefault(path.read_text(errors="replace").strip(), []).append(package["name"])
    for text, names in texts.items():
        print(f"\n{'=' * 100}\n{', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    main()
