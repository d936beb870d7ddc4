"""The wheel, made, installed and used far from the tree.  BERTH_LIBRARY names libberth.so."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = """
import berth, berth.env, sys
from berth import _library
scenario = {"seed": 4, "machine": {"processors": 16},
            "workload": {"model": "lublin", "jobs": 150, "load": 0.9}}
found = berth.run(scenario, policies=["easy", "marker"])
env = berth.env.SchedulingEnv(scenario, window=50, jobs=8)
env.reset(seed=1)
print(_library._candidates()[-1], *[each.schedule_hash for each in found])
"""
MARKER = "return { schedule = function(queue, cluster) cluster:start_all(queue) end }\n"


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        path = os.path.join(ROOT, "python", "make_wheel.py")
        spec = importlib.util.spec_from_file_location("make_wheel", path)
        cls.maker = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.maker)
        cls.folder = tempfile.mkdtemp()
        cls.library = os.path.join(cls.folder, "libberth.so")
        built = os.path.realpath(os.environ["BERTH_LIBRARY"])
        # Notes for debuggers take long to pack.
        if shutil.which("strip"):
            subprocess.run(["strip", "-g", "-o", cls.library, built], check=True)
        else:
            shutil.copy(built, cls.library)
        cls.wheel = cls.maker.make(cls.library, cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_the_record_has_every_file_and_its_digest(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            record = next(name for name in names if name.endswith("/RECORD"))
            rows = wheel.read(record).decode().splitlines()
            self.assertEqual(rows, sorted(rows[:-1]) + [f"{record},,"])
            for row in rows[:-1]:
                name, _, size = row.split(",")
                data = wheel.read(name)
                self.assertEqual(row + "\n", self.maker.record_of(name, data))
                self.assertEqual(len(data), int(size))
            self.assertEqual(sorted(row.split(",")[0] for row in rows), sorted(names))
            self.assertIn("berth/env.py", names)
            self.assertIn("berth/share/berth/policies/easy.lua", names)
            self.assertFalse([name for name in names if "libc.so" in name])

    def test_the_same_files_give_the_same_bytes(self):
        other = os.path.join(self.folder, "again")
        os.mkdir(other)
        digests = set()
        for path in (self.wheel, self.maker.make(self.library, other)):
            with open(path, "rb") as file:
                digests.add(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(len(digests), 1)

    def test_it_is_installed_without_an_index_and_finds_its_own_policies(self):
        place = os.path.join(self.folder, "site")
        pip = subprocess.run([sys.executable, "-m", "pip", "--version"],
                             capture_output=True, check=False)
        if pip.returncode != 0:
            self.skipTest("pip is not installed")
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index",
                        "--no-deps", "--target", place, self.wheel], check=True,
                       capture_output=True)
        policies = os.path.join(place, "berth", "share", "berth", "policies")
        with open(os.path.join(policies, "marker.lua"), "w") as file:
            file.write(MARKER)
        env = {name: value for name, value in os.environ.items()
               if not name.startswith("BERTH_") and name != "PYTHONPATH"}
        ran = subprocess.run([sys.executable, "-B", "-c", PROGRAM], check=False,
                             cwd=self.folder, env={**env, "PYTHONPATH": place},
                             capture_output=True, text=True)
        self.assertEqual(ran.stderr, "")
        library, easy, marker = ran.stdout.split()
        self.assertEqual(library, os.path.join(place, "berth", "lib", "libberth.so.1"))
        self.assertNotEqual(easy, marker)
        sys.path.insert(0, os.path.join(ROOT, "python"))
        import berth

        scenario = {"seed": 4, "machine": {"processors": 16},
                    "workload": {"model": "lublin", "jobs": 150, "load": 0.9}}
        found = berth.run(scenario, policies=["easy", "fcfs"])
        self.assertEqual([each.schedule_hash for each in found], [easy, marker])


if __name__ == "__main__":
    unittest.main()
