# Adds up the log of ctest: '312 passed, 0 failed', then ', 4 skipped' if any were.
# An entry of the doctest runner counts as many as its line 'tally: ...' says, any other
# entry as one.  An entry that fails without a failed test case (a crash, a leak, no test
# case at all) counts as one failed.  The log calls an entry passed whose program was not
# there: its command is empty, and so is what it proves.  Whatever else the log leaves out,
# `-v failure=1` says that ctest itself reported a failure.  Exit 1 if anything failed or
# nothing ran.

function close_entry() {
  if (!open) return
  passed += cases_passed
  failed += cases_failed
  skipped += cases_skipped
  if (entry_passed && !counted) passed++
  if (!entry_passed && cases_failed == 0) failed++
}

/^[0-9]+\/[0-9]+ Testing: / {
  close_entry()
  open = 1
  counted = not_run = entry_passed = cases_passed = cases_failed = cases_skipped = 0
}
/^tally: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
  counted = 1
  cases_passed = $2
  cases_failed = $4
  cases_skipped = $6
}
/^Command: ""/ { not_run = 1 }
/^Test Passed\.$/ { entry_passed = !not_run }

END {
  close_entry()
  if (failure && !failed) failed = 1
  printf "%d passed, %d failed", passed, failed
  if (skipped) printf ", %d skipped", skipped
  printf "\n"
  exit failed > 0 || passed == 0
}
