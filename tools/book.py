#!/usr/bin/env python3
"""Makes an mdBook of docs/: its table of contents is docs/README.md, its last chapter the texts of all error codes.

Usage: tools/book.py MDBOOK, the program. The book is target/book/html/index.html.
"""

import pathlib
import re
import shutil
import subprocess
import sys

BOOK = pathlib.Path("target/book")
CODES = "reference/all-error-codes.md"
SETTINGS = """[book]
title = "mkns"
description = "System networks of low-radix switches: from a name to checked RTL"
language = "en"
src = "src"

[build]
build-dir = "html"

[output.html]
no-section-label = true
additional-css = ["mkns.css"]
"""
# What programs print has to fit, on a phone tables of three columns.
STYLE = """:root { --content-max-width: 900px; }
@media (max-width: 600px) {
  .content pre code { font-size: 0.75em; }
  .content table { font-size: 0.8em; }
  .content table td, .content table th { padding: 3px 5px; }
}
"""


def summary(page):
    """The lists of the page as chapters; its bold lines are names of parts."""
    lines = ["# Summary", "", "[Documents](README.md)", "[Tutorial](tutorial.md)"]
    for line in re.sub(r"\n  ", " ", page).splitlines():
        part = re.fullmatch(r"\*\*(.*)\*\*", line)
        if part:
            lines += ["", f"# {part[1]}", ""]
        elif line.startswith("- "):
            links = re.findall(r"\[([^]]*)\]\(([^)]*)\)", line)
            lines += [f"- [{name[0].upper()}{name[1:]}]({path})" for name, path in links]
    return "\n".join([*lines, f"- [All error codes]({CODES})", ""])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shutil.rmtree(BOOK, ignore_errors=True)
    shutil.copytree("docs", BOOK / "src")
    shutil.copy("src/diag/explanations.md", BOOK / "src" / CODES)
    (BOOK / "src/SUMMARY.md").write_text(summary((BOOK / "src/README.md").read_text()))
    (BOOK / "book.toml").write_text(SETTINGS)
    (BOOK / "mkns.css").write_text(STYLE)
    subprocess.run([sys.argv[1], "build", BOOK], check=True)


if __name__ == "__main__":
    main()
