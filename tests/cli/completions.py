#!/usr/bin/python3
"""completions.py BERTH: what may be typed, asked of the program, and in the shells.

Each shell runs in a terminal of its own, is given a line and a Tab, and shows the line that
it made of it.  A shell that is not installed is named and left out.
"""

import os
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

BERTH = os.path.realpath(sys.argv[1])
PATIENCE = 20  # seconds that a shell may take to show a line

# By the words of a command line: what is answered, whole lines or the words in front of
# the tab; "..." stands for more.
ANSWERS = [
    ("ru", ["run"]),
    ("help exp", ["expectations", "explain"]),
    ("run --poli", ["--policy"]),
    ("run --au", ["--audit"]),
    ("run --audit ", ["off", "light", "full"]),
    ("run --table=mar", ["--table=markdown"]),
    ("generate lublin --variant b", ["batch"]),
    ("generate lu", ["lublin"]),
    ("shadow --unit ", ["processors", "nodes"]),
    ("verify --promise ", ["easy"]),
    ("report --gantt ", ["auto", "exact", "off"]),
    ("new p", ["policy"]),
    ("init ", ["gpu"]),
    ("completions ", ["bash", "zsh", "fish"]),
    ("run --policy eas", ["easy", "easy_plus", "...", ":files *.lua"]),
    ("run --policy sjf:", ["sjf:block=", "...", ":nospace"]),
    ("run --policy=sjf:blo", ["--policy=sjf:block=", ":nospace"]),
    ("run --policy sjf:block=", ["sjf:block=true", "sjf:block=false"]),
    ("run --policy ./own.lua:", []),
    ("run --set workload.loa", ["workload.load=", "workload.load_scale=", ":nospace"]),
    ("run --set workload.model=lub", ["workload.model=lublin"]),
    ("run --set machine.pick=", ["machine.pick=lowest", "..."]),
    ("run --set policies.sj", ["policies.sjf.", ":nospace"]),
    ("run --set policies.sjf.blo", ["policies.sjf.block=", ":nospace"]),
    ("run --set policies.sjf.block=f", ["policies.sjf.block=false"]),
    ("run --vary workload.estimates=exact,fac", ["workload.estimates=exact,factor"]),
    ("run --metric mean_wait,p99_w", ["mean_wait,p99_wait"]),
    ("run --trace ", [":files"]),
    ("run ", [":files *.toml"]),
    ("run -- --pol", [":files *.toml"]),
    ("run --seed ", []),
    ("run 'unknown' --seed 3 --set worklo\"ad", []),
    ("api cluster:star", ["cluster:start", "cluster:start_all"]),
    ("explain results 1", ["1", "10", "12"]),
    ("explain results --without 12", ["12"]),
    ("explain none 1", []),
    ("no_command ", []),
    ("run --no-option=", []),
]


def ask(line, environment=None, folder=None, as_user=None):
    """The lines of the answer to a command line that is split at blanks."""
    words = ["berth"] + line.split(" ")
    done = subprocess.run([BERTH, "__complete", str(len(words) - 1)] + words, cwd=folder,
                          env=environment, user=as_user, capture_output=True, text=True,
                          timeout=PATIENCE)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{line!r}: status {done.returncode}, said {done.stderr!r}")
    return done.stdout.splitlines()


class Folder(unittest.TestCase):
    """Each case in a folder with a result, a scenario, a trace and odd names."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        os.chmod(self.folder, 0o755)
        os.mkdir(self.path("results"))
        with open(self.path("results/jobs.csv"), "w", encoding="utf-8") as file:
            file.write("job_id,submit\n1,0\n2,0\n10,0\n12,5\n")
        os.mkdir(self.path("two words"))
        for name in ("only.toml", "two words/one.toml", "trace.swf", "own.lua"):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write("error('a file of the user is not run')\n")

    def path(self, name):
        return os.path.join(self.folder, name)


class Program(Folder):
    def test_every_line_is_answered_from_the_records(self):
        for line, wanted in ANSWERS:
            with self.subTest(line=line):
                got = [each.partition("\t")[0] for each in ask(line, folder=self.folder)]
                if "..." in wanted:
                    self.assertLessEqual(set(wanted) - {"..."}, set(got))
                else:
                    self.assertEqual(got, wanted)

    def test_each_word_is_listed_once_and_with_a_help_of_one_line(self):
        for line in ["", "run -", "run --policy ", "run --set ", "run --metric ", "api ",
                     "sweep -", "explain -", "convert -", "verify -"]:
            with self.subTest(line=line):
                lines = [each for each in ask(line) if not each.startswith(":")]
                words = [each.partition("\t")[0] for each in lines]
                self.assertGreater(len(words), 5)
                self.assertEqual(len(words), len(set(words)))
                for each in lines:
                    self.assertRegex(each, r"^\S+\t\S[^\t]*$")

    def test_all_options_of_the_help_are_offered(self):
        names = [each.partition("\t")[0] for each in ask("")]
        for command in names:
            if command.startswith("-") or command == "help":
                continue
            help_text = subprocess.run([BERTH, command, "--help"], capture_output=True,
                                       text=True, check=True).stdout
            listed = re.findall(r"^  (-[-\w,]+)", help_text, re.MULTILINE)
            wanted = {name for names in listed for name in names.split(",")}
            offered = {each.partition("\t")[0] for each in ask(f"{command} -")}
            self.assertEqual(wanted, offered, command)

    def test_odd_lines_are_answered_with_silence(self):
        for line in ['"', "'", 'run "', "run --policy 'sjf:bl\"", "\\", "run \\",
                     "run " + "word " * 100, "run --set " + "x" * 100_000,
                     "run --set =", "run --policy :", "run --policy sjf:=", "run --set ..",
                     "run --set policies.", "run --policy \xe9:", "explain \x01 "]:
            with self.subTest(line=line[:40]):
                ask(line, folder=self.folder)
        for words in [[], ["x"], ["-1", "berth"], ["9", "berth"], ["0", "berth"],
                      ["9" * 40, "berth", ""], ["1"]]:
            done = subprocess.run([BERTH, "__complete"] + words, capture_output=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual(ask("run --policy 'sjf:blo"), ask("run --policy sjf:blo"))

    def test_without_a_home_and_in_a_folder_without_rights(self):
        wanted = ask("run --policy sj")
        self.assertTrue(wanted)
        self.assertEqual(ask("run --policy sj", environment={}), wanted)
        closed = self.path("closed")
        os.mkdir(closed, 0)
        user = 65534 if os.geteuid() == 0 else None
        if user is None or can_enter(BERTH):
            self.assertEqual(ask("run --tr", as_user=user), ["--trace\t" + HELP_OF_TRACE])
            self.assertEqual(ask(f"explain {closed} ", as_user=user), [])

    def test_a_result_that_is_no_file_is_not_waited_for(self):
        os.mkdir(self.path("pipe"))
        os.mkfifo(self.path("pipe/jobs.csv"))
        self.assertEqual(ask("explain pipe 1", folder=self.folder), [])


HELP_OF_TRACE = ask("run --tra")[0].partition("\t")[2]


def can_enter(path):
    """Whether anybody may come to the file."""
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


class Terminal:
    """A shell in a terminal."""

    def __init__(self, words, folder, environment):
        self.child, self.master = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self.seen = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, pattern):
        """The first match in what is shown from now on."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(pattern, self.seen, re.DOTALL)
            if found:
                self.seen = self.seen[found.end():]
                return found
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break
        raise AssertionError(f"never came: {pattern}; there is {self.seen!r}")

    def close(self):
        os.close(self.master)
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)


# A line as far as it is typed, and as it stands behind the Tab; in all three shells.
TABS = [
    ("berth ru", "berth run "),
    ("berth run --poli", "berth run --policy "),
    ("berth run --policy sjf:blo", "berth run --policy sjf:block="),
    ("berth run --policy sjf:block=f", "berth run --policy sjf:block=false "),
    ("berth run --set workload.load_s", "berth run --set workload.load_scale="),
    ("berth run --set workload.model=lub", "berth run --set workload.model=lublin "),
    ("berth run --metric mean_wait,p99_wai", "berth run --metric mean_wait,p99_wait "),
    ("berth api queue:why", "berth api queue:why_not "),
    ("berth explain results 12", "berth explain results 12 "),
    ("berth run onl", "berth run only.toml "),
    ("berth run --trace tra", "berth run --trace trace.swf "),
    ("berth no_command x", "berth no_command x"),
]


class Shells(Folder):
    def environment(self, **more):
        return {"PATH": os.path.dirname(BERTH) + ":/usr/bin:/bin", "TERM": "vt100",
                "LC_ALL": "C.UTF-8", "COLUMNS": "200", **more}

    def in_terminal(self, words, setup, tabs, environment):
        terminal = Terminal(words, self.folder, environment)
        try:
            terminal.type(setup + "; echo rea''dy\n")
            terminal.until("ready\r?\n")
            for typed, wanted in tabs:
                with self.subTest(shell=words[0], typed=typed):
                    terminal.type(typed + "\t\x14")
                    made = terminal.until(r"\[\[(.*?)\]\]").group(1)
                    self.assertEqual(made, wanted)
                terminal.type("\x15")
        finally:
            terminal.close()

    def test_bash(self):
        setup = ("bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; "
                 "bind -x '\"\\C-t\": printf \"[[%s]]\" \"$READLINE_LINE\"'; "
                 "source <(berth completions bash)")
        words = ["bash", "--norc", "--noprofile", "-i"]
        own = [("true; berth ru", "true; berth run "),
               ("NO_COLOR=1 berth ru", "NO_COLOR=1 berth run "),
               ("berth run 'onl", "berth run 'only.toml' "),
               ("berth run two", "berth run two\\ words/"),
               ("berth run 'two words/o", "berth run 'two words/one.toml' "),
               ("berth run --policy 'sjf:blo", "berth run --policy 'sjf:block='"),
               ("berth run --table=mar", "berth run --table=markdown "),
               ("berth completions", "berth completions "),
               ("berth verify --promise=", "berth verify --promise=easy "),
               ("berth run --policy easy_plus:", "berth run --policy easy_plus:embedding="),
               ("berth run --out=resu", "berth run --out=results/"),
               ("berth run --policy \"sj", "berth run --policy \"sjf\" "),
               (BERTH + " ru", BERTH + " run ")]
        self.in_terminal(words, setup, TABS + own, self.environment())
        # Words that bash does not break, and no HOME.
        self.in_terminal(words, setup + "; COMP_WORDBREAKS=' '; unset HOME", TABS,
                         self.environment())

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        setup = ("PS1='> '; autoload -U compinit; compinit -D -u; show() "
                 "{ print -rn -- \"[[$BUFFER]]\" }; zle -N show; bindkey '^T' show; "
                 "unsetopt beep zle_bracketed_paste; source <(berth completions zsh)")
        own = [("berth run --table=mar", "berth run --table=markdown "),
               ("berth run --out=resu", "berth run --out=results/"),
               ("berth run two\\ words/o", "berth run two\\ words/one.toml ")]
        self.in_terminal(["zsh", "-f", "-i"], setup, TABS + own, self.environment())

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        source = "berth completions fish | source; complete -C $argv[1]"
        own = [("berth run --table=mar", "berth run --table=markdown "),
               ("berth run --out=resu", "berth run --out=results/")]
        for typed, wanted in TABS + own:
            with self.subTest(typed=typed):
                done = subprocess.run(
                    ["fish", "--no-config", "-c", source, typed], cwd=self.folder,
                    capture_output=True, text=True, timeout=PATIENCE,
                    env=self.environment(HOME=self.folder))
                self.assertEqual(done.stderr, "")
                word = wanted.rstrip(" ").rpartition(" ")[2]
                words = [line.partition("\t")[0] for line in done.stdout.splitlines()]
                self.assertEqual(words[:1], [word] if wanted != typed else [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
