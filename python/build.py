"""Writes the wheel and the source distribution: `python3 build.py DIRECTORY`. The same sources give the same bytes.

With `--wheel`, only the wheel: the source distribution has the same name as the source of Kurz in a release.

A wheel of a package without native code is a zip file with a few lines of metadata (PEP 427), so nothing has to be
installed to build one.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, List

ROOT = Path(__file__).resolve().parent
SOURCE = ROOT / "src"
# The first that a zip file can have.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def read_project() -> Dict[str, str]:
    """The plain fields of pyproject.toml: Python reads TOML itself only from 3.11 on."""
    fields: Dict[str, str] = {}
    section = ""
    for line in (ROOT / "pyproject.toml").read_text().splitlines():
        if line.startswith("["):
            section = line
        name, equals, value = line.partition(" = ")
        if section == "[project]" and equals and value.startswith('"'):
            fields[name] = value.strip('"')
    return fields


def read_classifiers() -> List[str]:
    text = (ROOT / "pyproject.toml").read_text()
    block = text.split("classifiers = [", 1)[1].split("]", 1)[0]
    return [line.strip().strip(",").strip('"') for line in block.splitlines() if line.strip()]


def metadata(project: Dict[str, str]) -> bytes:
    head = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        *[f"Classifier: {name}" for name in read_classifiers()],
        "Description-Content-Type: text/markdown",
    ]
    return ("\n".join(head) + "\n\n" + (ROOT / "README.md").read_text()).encode()


def package_files() -> Dict[str, bytes]:
    """By their path in the distribution, sorted."""
    files = [path for path in SOURCE.rglob("*") if path.suffix == ".py" or path.name == "py.typed"]
    return {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in sorted(files)}


def record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def write_wheel(target: Path, project: Dict[str, str]) -> Path:
    name, version = project["name"], project["version"]
    info = f"{name}-{version}.dist-info"
    files = package_files()
    files[f"{info}/METADATA"] = metadata(project)
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: kurz\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    lines = [record_line(path, content) for path, content in files.items()] + [f"{record},,"]
    files[record] = ("\n".join(lines) + "\n").encode()
    path = target / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for member, content in files.items():
            entry = zipfile.ZipInfo(member, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)
    return path


def write_sdist(target: Path, project: Dict[str, str]) -> Path:
    base = f"{project['name']}-{project['version']}"
    files = {f"src/{path}": content for path, content in package_files().items()}
    for name in ("LICENSE", "README.md", "pyproject.toml"):
        files[name] = (ROOT / name).read_bytes()
    files["PKG-INFO"] = metadata(project)
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(f"{base}/{name}")
            member.size = len(content)
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(content))
    path = target / f"{base}.tar.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(plain.getvalue())
    return path


def main() -> None:
    places = [argument for argument in sys.argv[1:] if argument != "--wheel"]
    target = Path(places[0]) if places else ROOT / "dist"
    target.mkdir(parents=True, exist_ok=True)
    project = read_project()
    print(write_wheel(target, project))
    if "--wheel" not in sys.argv:
        print(write_sdist(target, project))


if __name__ == "__main__":
    main()
