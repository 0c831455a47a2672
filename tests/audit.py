"""Ask whether vulnerabilities of the locked packages are known; `make audit` runs it.

It fails when there is one that ``requirements/accepted.toml`` gives no reason for. Where the data cannot be
reached it says so plainly: that is no fault of the project, but no all-clear either.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements"
ASK = (
    "pip_audit", "--requirement", str(REQUIREMENTS / "develop.txt"), "--require-hashes", "--disable-pip",
    "--format", "json", "--progress-spinner", "off",
)  # fmt: skip


def verdict(answer: str, accepted: dict[str, str]) -> tuple[list[str], bool]:
    """Return what to say of the ``answer`` of pip-audit, and whether that is good enough.

    An empty answer means that it could not ask. Of a package that its source does not know it gives a reason
    to skip in place of vulnerabilities, and calls the whole sound all the same.
    """
    packages = json.loads(answer)["dependencies"] if answer else []
    asked = [package for package in packages if "vulns" in package]
    if not asked:
        return ["Vulnerabilities were NOT looked up: their data cannot be reached from here."], True
    lines, found = [], 0
    for package in asked:
        for flaw in package["vulns"]:
            reasons = [accepted[name] for name in (flaw["id"], *flaw["aliases"]) if name in accepted]
            found += not reasons
            fixed = ", ".join(flaw["fix_versions"]) or "no version yet"
            said = reasons[0] if reasons else f"mended in {fixed}"
            lines.append(f"{package['name']} {package['version']}: {flaw['id']}: {said}")
    unknown = [package["name"] for package in packages if package not in asked]
    if unknown:
        lines.append(f"NOT looked up, since their data cannot be reached: {', '.join(unknown)}.")
    lines.append(f"{len(asked)} packages looked up, {found or 'no'} vulnerabilities that matter.")
    return lines, not found


if __name__ == "__main__":
    reasons = tomllib.loads((REQUIREMENTS / "accepted.toml").read_text(encoding="utf-8"))
    done = subprocess.run([sys.executable, "-m", *ASK], capture_output=True, text=True, check=False)
    said, sound = verdict(done.stdout, reasons)
    if not done.stdout:
        said += done.stderr.splitlines()[-1:]  # why it could not ask
    sys.stdout.write("\n".join(said) + "\n")
    sys.exit(not sound)
