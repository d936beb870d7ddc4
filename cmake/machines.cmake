# The machines, each a folder engine/machines/NAME with its record, the files
# bindings/machines/NAME.cpp and NAME_*.cpp, and the tests in tests/machines/NAME.  The
# two list.cpp name what each has.
set(BERTH_MACHINES exclusive two_tier network fractional devices)

# Rooms within their folders, each above those before it, all below the folder itself.
set(BERTH_ROOMS_network tree embed)
set(BERTH_ROOMS_fractional pack)
