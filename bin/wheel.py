"""Writes a wheel (PEP 427) with a folder of programs. 'python3 -m conform' and 'conform' run these programs.

usage: wheel.py FOLDER VERSION WHEEL
"""

import base64
import hashlib
import os
import sys
import zipfile

MAIN = '''"""Runs the program that lies beside this file, in its place."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program", "conform")
    os.execv(program, [program] + sys.argv[1:])


if __name__ == "__main__":
    main()
'''

# The earliest time of zip files is 1980. With a fixed time, the same programs result in the same wheel.
EPOCH = (1980, 1, 1, 0, 0, 0)


class Wheel:
    def __init__(self, path, version):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.information = f"conform-{version}.dist-info"
        self.record = []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100000 | mode) << 16
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def add_folder(self, folder, name):
        for parent, folders, files in os.walk(folder):
            folders.sort()
            for file in sorted(files):
                path = os.path.join(parent, file)
                mode = 0o755 if os.access(path, os.X_OK) and os.stat(path).st_mode & 0o100 else 0o644
                with open(path, "rb") as stream:
                    self.add(f"{name}/{os.path.relpath(path, folder)}", stream.read(), mode)

    def finish(self):
        name = f"{self.information}/RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, EPOCH), "\n".join(self.record + [f"{name},,", ""]))
        self.zip.close()


def main(folder, version, path):
    wheel = Wheel(path, version)
    tag = os.path.basename(path).removesuffix(".whl").split("-", 2)[2]
    wheel.add("conform/__init__.py", b'"""A conformance test kit for SDKs and servers."""\n')
    wheel.add("conform/__main__.py", MAIN.encode())
    wheel.add_folder(folder, "conform/program")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as stream:
        readme = stream.read()
    metadata = (
        f"Metadata-Version: 2.1\nName: conform\nVersion: {version}\n"
        "Summary: A conformance test kit for SDKs and servers\nLicense: Apache-2.0\nRequires-Python: >=3.8\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )
    wheel.add(f"{wheel.information}/METADATA", metadata.encode())
    described = f"Wheel-Version: 1.0\nGenerator: conform\nRoot-Is-Purelib: false\nTag: {tag}\n"
    wheel.add(f"{wheel.information}/WHEEL", described.encode())
    wheel.add(f"{wheel.information}/entry_points.txt", b"[console_scripts]\nconform = conform.__main__:main\n")
    wheel.finish()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
