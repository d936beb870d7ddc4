#pragma once
// Frames, columns, groups, step functions and statistics for the scripts of tools.
//
// Each is a full userdata that owns memory outside Lua's heap: Guard::hold counts it,
// and the garbage collector gives it back.  All are read-only and equal to themselves
// alone; none shows an address.  They stay good after the entry in which they were
// made, and are used in the sandbox in which they were made alone.

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/families.hpp"
#include "bindings/tools/column.hpp"

namespace berth::bindings {

// Where the columns of a frame come from.  A frame keeps what it has made, so each
// column is asked for once a push_frame; a source that is pushed anew may keep them,
// too.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;       // below 2^32 - 1
  [[nodiscard]] virtual std::string_view what() const = 0;  // "jobs"; for messages
  // In the order of the reference.  A name of a method ("first", "row") is read by
  // frame:column("first"); in rows it is a field like any other.
  [[nodiscard]] virtual std::span<const std::string> names() const = 0;
  // REQUIRES: one of names().  The column has rows() rows.  Called outside Lua; what it
  // throws ends the entry and cannot be caught by a script.
  [[nodiscard]] virtual ColumnPtr make(std::string_view name) const = 0;
};

// Sets the metatables, and the global `stats`, which draws from stream "tool" of the
// seed.  Call it once in an entry of a sandbox, before its script is loaded.
void install_frames(lua_State* lua, std::uint64_t seed);

// Each may raise.  REQUIRES: install_frames; the pointer is one that the host keeps.
void push_frame(lua_State* lua, const std::shared_ptr<const FrameSource>& source);
void push_column(lua_State* lua, const ColumnPtr& column);

// What frame(...) calls, of every frame: the function on top, which is popped.
void set_frame_call(lua_State* lua);

// The column at a stack index; null: the value is none.  Raises nothing.
[[nodiscard]] ColumnPtr column_at(lua_State* lua, int at);

// A frame as a script made it: by selection, order and columns of its own.
struct FrameView {
  std::size_t rows = 0;
  std::string_view what;           // of its source
  std::vector<std::string> names;  // those of the source, then its own
};
[[nodiscard]] bool is_frame(lua_State* lua, int at);
// REQUIRES: is_frame.  Raises nothing; allocates.
[[nodiscard]] FrameView frame_at(lua_State* lua, int at);
// Pushes the column of the frame at `at`, made now if it is read first; raises for a
// name that it has not.
void push_frame_column(lua_State* lua, int at, std::string_view name);

// What is in this folder, for the reference: Column, Frame, Groups, Steps, Stats.
// Examples are true where `jobs` is a frame of four jobs, `levels` a step function:
//   size 2 4 2 8; wait 0 30 10 none (times); slowdown 1 2.5 1.5 none (numbers);
//   user 1 2 1 3; state finished finished failed left (texts)
//   levels: 0 from 0 s, 4 from 10 s, 2 from 30 s to 40 s
[[nodiscard]] std::span<const Family> tool_families();

}  // namespace berth::bindings
