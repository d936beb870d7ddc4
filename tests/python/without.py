"""without.py MODULE,... TEST... : runs these files of tests where some modules, which the
package may use, cannot be imported."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
for name in sys.argv[1].split(","):
    sys.modules[name] = None  # an import of it fails
loaded = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:])
if "test_env" in sys.modules:  # a part of the episodes: the others run with numpy
    sys.modules["test_env"].AgainstTheModel.EPISODES = 100
sys.exit(not unittest.TextTestRunner().run(loaded).wasSuccessful())
