set(CHECK budget)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

set(mistake "this loop charges no budget")

expect(charged_in_the_body
  FILES engine/machines/fractional/pack/p.cpp "void f(Budget& budget) {\n  for (int job : jobs) {\n    budget.charge()@\n    g(job)@\n  }\n}")
expect(charged_in_the_head
  FILES engine/machines/fractional/pack/p.cpp "void f(Budget& budget) {\n  while (next(budget)) g()@\n}")
expect(charged_before
  FILES engine/machines/network/embed/e.hpp "void f() {\n  budget_.charge_each(hosts)@\n  for (int i = 0@ i < n@ ++i) g(i)@\n}")
expect(charged_before_in_an_outer_block
  FILES engine/reserve/r.cpp "void f() {\n  for (int a : as) {\n    budget_.charge_each(9)@\n    if (a) {\n      for (int b : bs) g(b)@\n    }\n  }\n}")
expect(charged_for_a_sort_before
  FILES report/r.cpp "void f() {\n  blocks.budget().charge_sort(n)@\n  for (int job : jobs) g(job)@\n}")
expect(marked
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  // Bounded: at most 16 kinds.\n  for (int kind : kinds) g(kind)@\n  do g()@ while (h())@  // Bounded: as many as there are.\n}")
expect(marked_file
  FILES engine/machines/fractional/pack/p.cpp "#include <vector>\n\n// Bounded in this file: each task is passed once.\n\nvoid f() {\n  for (int a : as) g(a)@\n}")
expect(not_a_loop
  FILES engine/machines/fractional/pack/p.cpp "// for (all) this is a comment\nconst char* text = \"while (true)\"@\nvoid form(int whiles) { f()@ }")
expect(other_folders
  FILES engine/sim/s.cpp "void f() {\n  for (int a : as) g(a)@\n}" engine/machines/fractional/pack/p.cpp "int a@")

expect(plain_loop
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  g()@\n  for (int host = 0@ host < hosts@ ++host) g(host)@\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:3: ${mistake}")
expect(loop_of_blocks
  FILES engine/machines/network/embed/e.cpp "void f() {\n  while (true) {\n    if (g()) break@\n  }\n}"
  FINDS "engine/machines/network/embed/e.cpp:2: ${mistake}")
expect(in_a_header
  FILES engine/reserve/r.hpp "struct S {\n  void f() {\n    do {\n      g()@\n    } while (h())@\n  }\n}@"
  FINDS "engine/reserve/r.hpp:3: ${mistake}")
expect(second_of_two
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  for (int a : as) { budget.charge()@ }\n  for (int b : bs) g(b)@\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:3: ${mistake}")
expect(charged_in_another_function
  FILES engine/machines/fractional/pack/p.cpp "void f() { budget.charge()@ }\nvoid g() {\n  for (int b : bs) h(b)@\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:3: ${mistake}")
expect(charged_in_a_block_beside_it
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  if (a) { budget.charge()@ }\n  for (int b : bs) h(b)@\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:3: ${mistake}")
expect(nested_and_charged_once_before
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  budget.charge_each(n)@\n  for (int a : as) {\n    for (int b : bs) h(b)@\n  }\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:3: ${mistake}")
expect(mark_without_a_reason
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  // Bounded: yes.\n  for (int a : as) g(a)@\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:3: ${mistake}")
expect(mark_of_another_loop
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  // Bounded: at most 16 kinds.\n  for (int a : as) g(a)@\n  for (int b : bs) g(b)@\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:4: ${mistake}")
expect(mark_inside
  FILES engine/machines/fractional/pack/p.cpp "void f() {\n  while (true) {\n    // Bounded: at most 16 kinds.\n    for (int a : as) g(a)@\n  }\n}"
  FINDS "engine/machines/fractional/pack/p.cpp:2: ${mistake}")
expect(over_jobs_of_a_trace
  FILES engine/workload/w.cpp "void f(Workload& workload, Budget& budget) {\n  for (const auto& job : workload.jobs) g(job)@\n}"
  FINDS "engine/workload/w.cpp:2: ${mistake}")
expect(over_lines_of_a_trace
  FILES engine/workload/w.hpp "void f() {\n  while (const auto line = lines.next()) {\n    read(*line)@\n  }\n}"
  FINDS "engine/workload/w.hpp:2: ${mistake}")
expect(over_rows_of_a_report
  FILES report/r.cpp "void f() {\n  budget.charge()@\n  for (const auto& run : runs) {\n    for (const auto& row : run.rows) put(row)@\n  }\n}"
  FINDS "report/r.cpp:3: ${mistake}")
expect(nothing_there
  FILES README.md "empty"
  FINDS "run from the root")
