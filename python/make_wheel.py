"""Makes a wheel of the package, with libberth, the libraries that it needs and the
policies, of the standard library alone:

    python3 python/make_wheel.py LIBRARY.so [-o FOLDER]

The same files give the same bytes; SOURCE_DATE_EPOCH sets their date.
"""

import argparse
import base64
import ctypes
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# What every system has: the C library, and the runtime of the compiler.
SYSTEM = re.compile(r"^(ld-linux|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libgcc_s\.|"
                    r"libstdc\+\+\.|linux-vdso)")


def version_of(library):
    loaded = ctypes.CDLL(library)
    loaded.berth_version.restype = ctypes.c_char_p
    return loaded.berth_version().decode()


def needed(library):
    """Name and path of each library that this one needs, directly or not."""
    printed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True)
    found = {}
    for line in printed.stdout.splitlines():
        name, _, rest = line.strip().partition(" => ")
        if SYSTEM.match(os.path.basename(name.split(" ")[0])):
            continue
        if "not found" in rest or not rest:
            raise SystemExit(f"{library} needs {name}, which is not found")
        found[name] = rest.split(" (")[0]
    return found


def files_of(library):
    """By their places in the wheel: paths."""
    files = {}
    package = os.path.join(HERE, "berth")
    for name in os.listdir(package):
        if name.endswith((".py", ".pyi", ".typed")):
            files["berth/" + name] = os.path.join(package, name)
    policies = os.path.join(ROOT, "policies")
    for folder, _, names in os.walk(policies):
        place = os.path.relpath(folder, ROOT)
        files.update({f"berth/share/berth/{place}/{name}": os.path.join(folder, name)
                      for name in names})
    files["berth/lib/libberth.so.1"] = library
    files.update({"berth/lib/" + name: path for name, path in needed(library).items()})
    return files


def read(path):
    with open(path, "rb") as file:
        return file.read()


def record_of(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
    return f"{name},sha256={digest.decode()},{len(data)}\n"


def make(library, folder):
    """The path of the wheel."""
    version = version_of(library)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = f"berth-{version}.dist-info"
    data = {place: read(path) for place, path in files_of(library).items()}
    data[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: berth\nVersion: {version}\n"
        "Summary: Scheduling policies on simulated clusters\nLicense: MIT\n"
        "Requires-Python: >=3.9\n").encode()
    data[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\n"
        f"Tag: py3-none-{platform}\n").encode()
    data[f"{info}/LICENSE"] = read(os.path.join(ROOT, "LICENSE"))
    record = f"{info}/RECORD"
    rows = "".join(record_of(name, of) for name, of in sorted(data.items()))
    data[record] = (rows + f"{record},,\n").encode()
    # A zip file knows no time before 1980.
    epoch = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315_532_800)
    date = time.gmtime(epoch)[:6]
    path = os.path.join(folder, f"berth-{version}-py3-none-{platform}.whl")
    half = path + ".part"
    with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name in sorted(data, key=lambda each: (each == record, each)):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, data[name])
    os.replace(half, path)
    return path


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("library", help="libberth.so")
    parser.add_argument("-o", dest="folder", default=".", help="where it is put")
    given = parser.parse_args(arguments)
    print(make(os.path.realpath(given.library), given.folder))


if __name__ == "__main__":
    main(sys.argv[1:])
