set(CHECK floors)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(itself_and_below FILES
  engine/sim/run.hpp "#include <vector>\n#include \"engine/queue/q.hpp\""
  engine/queue/q.hpp "#include \"engine/queue/index.hpp\"\n#include \"engine/base/t.hpp\""
  cli/main.cpp "#include \"study/s.hpp\"\n#include \"engine/base/t.hpp\"")
expect(upward
  FILES engine/queue/q.cpp "#include \"engine/sim/run.hpp\""
  FINDS "engine/queue/q.cpp may not include engine/sim/")
expect(sideways
  FILES engine/jobs/j.hpp "#include \"engine/hosts/h.hpp\""
  FINDS "engine/jobs/j.hpp may not include engine/hosts/")
expect(out_of_the_engine
  FILES engine/output/o.cpp "#include \"bindings/value.hpp\""
  FINDS "engine/output/o.cpp may not include bindings/")
expect(bindings_above
  FILES bindings/b.cpp "  #  include \"study/s.hpp\""
  FINDS "bindings/b.cpp may not include study/")
expect(room_below
  FILES bindings/b.cpp "#include \"bindings/sandbox/s.hpp\"")
expect(room_above
  FILES bindings/sandbox/s.cpp "#include \"bindings/value.hpp\""
  FINDS "bindings/sandbox/s.cpp may not include bindings/")
expect(machines_in_order FILES
  engine/machines/network/slots.hpp "#include \"engine/machines/network/embed/e.hpp\""
  engine/machines/network/embed/e.hpp "#include \"engine/machines/network/tree/t.hpp\""
  engine/machines/two_tier/record.cpp "#include \"engine/machines/model_record.hpp\""
  bindings/machines/two_tier.cpp "#include \"engine/machines/two_tier/tiers.hpp\""
  bindings/machines/list.cpp "#include \"bindings/machines/two_tier.hpp\"")
expect(a_machine_from_the_kernel
  FILES engine/sim/world.cpp "// A comment@\n\n#include \"engine/machines/two_tier/tiers.hpp\""
  FINDS "engine/sim/world.cpp may not include engine/machines/two_tier/, which is a machine's: line 3")
expect(calls_of_a_machine_from_the_common_ones
  FILES bindings/value.cpp "#include \"bindings/machines/network_embedding.hpp\""
  FINDS "bindings/value.cpp may not include bindings/machines/, which is a machine's: line 1")
expect(a_machine_from_a_study
  FILES study/runs/r.cpp "#include \"engine/machines/fractional/packer.hpp\""
  FINDS "study/runs/r.cpp may not include engine/machines/fractional/")
expect(another_machine
  FILES engine/machines/network/slots.cpp "#include \"engine/machines/two_tier/tiers.hpp\""
  FINDS "engine/machines/network/slots.cpp may not include another machine's engine/machines/two_tier/")
expect(calls_of_another_machine
  FILES bindings/machines/network.cpp "#include \"engine/machines/two_tier/tiers.hpp\""
  FINDS "bindings/machines/network.cpp may not include another machine's")
expect(machine_room_above
  FILES engine/machines/network/tree/t.hpp "#include \"engine/machines/network/embed/e.hpp\""
  FINDS "tree/t.hpp may not include engine/machines/network/embed/")
expect(records_of_machines_in_the_kernel
  FILES engine/audit/auditor.cpp "#include \"engine/machines/model_record.hpp\""
  FINDS "engine/audit/auditor.cpp may not include engine/machines/")
expect(unknown_machine
  FILES engine/machines/gpu/record.cpp "int a@" bindings/machines/gpu.cpp "int a@"
  FINDS "engine/machines/gpu/record.cpp is of no machine" "bindings/machines/gpu.cpp is of no")
expect(unknown_folder
  FILES engine/util/u.hpp "#pragma once"
  FINDS "add the folder util/")
expect(unknown_target
  FILES engine/sim/s.hpp "#include \"engine/util/u.hpp\""
  FINDS "engine/sim/s.hpp has an include that is not from the root")
expect(not_from_the_root
  FILES engine/sim/s.hpp "#include \"record.hpp\""
  FINDS "engine/sim/s.hpp has an include that is not from the root")
expect(nothing_there
  FILES README.md "empty"
  FINDS "run from the root")
