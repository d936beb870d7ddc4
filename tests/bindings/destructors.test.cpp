#include <doctest/doctest.h>

#include <lua.hpp>
#include <new>
#include <stdexcept>
#include <string>

#include "bindings/value.hpp"
#include "engine/base/error.hpp"
#include "tests/bindings/sandbox_driver.hpp"

using namespace berth;
using namespace berth::test;
using bindings::Sandbox;

// Lua raises by jumping over our functions, or, built as C++, by an exception.  Work of
// the engine must leave nothing behind with either build.

namespace {

constexpr int kTimes = 10'000;

// How many are alive, in all and now.  Held by a test, reached through an upvalue.
struct Count {
  long made = 0;
  long alive = 0;
};

class Counted {
 public:
  explicit Counted(Count& count) : count_(count) {
    ++count_.made;
    ++count_.alive;
  }
  ~Counted() { --count_.alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Count& count_;
  std::string text_ = std::string(100, 'x');  // a leak that memory checkers see
};

Count& count_of(lua_State* lua) {
  return *static_cast<Count*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int wrong_call(lua_State* lua) {
  bindings::attempt(lua, [&] {
    const Counted object(count_of(lua));
    throw Error(ErrorCode::kPolicy, "not in this state");
  });
  return 0;
}

// As a compound action does: what it has begun to build goes away with the refusal.
int wrong_call_within(lua_State* lua) {
  bindings::attempt(lua, [&] {
    const Counted outer(count_of(lua));
    try {
      const Counted inner(count_of(lua));
      throw std::runtime_error("no room");
    } catch (const std::runtime_error&) {
      throw Error(ErrorCode::kPolicy, "no room");
    }
  });
  return 0;
}

int right_call(lua_State* lua) {
  bindings::attempt(lua, [&] { const Counted object(count_of(lua)); });
  return 0;
}

int out_of_memory(lua_State* lua) {
  bindings::attempt(lua, [&] {
    const Counted object(count_of(lua));
    throw std::bad_alloc();
  });
  return 0;
}

struct Trial {
  lua_CFunction primitive;
  Count* count;
  long failed = 0;
};

// The protected calls of a script that catches every error.
int call_often(lua_State* lua) {
  auto& trial = *static_cast<Trial*>(lua_touserdata(lua, 1));
  for (int i = 0; i < kTimes; ++i) {
    lua_pushlightuserdata(lua, trial.count);
    lua_pushcclosure(lua, trial.primitive, 1);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK) ++trial.failed;
    lua_settop(lua, 1);
  }
  return 0;
}

int call_once(lua_State* lua) {
  auto& trial = *static_cast<Trial*>(lua_touserdata(lua, 1));
  lua_pushlightuserdata(lua, trial.count);
  lua_pushcclosure(lua, trial.primitive, 1);
  lua_call(lua, 0, 0);
  return 0;
}

}  // namespace

TEST_SUITE("bindings/destructors") {
  TEST_CASE("10,000 wrong calls leave no object behind") {
    for (const lua_CFunction primitive : {wrong_call, wrong_call_within, right_call}) {
      Count count;
      Trial trial{primitive, &count};
      Sandbox sandbox(patient_limits(), 1, {});
      sandbox.enter(call_often, &trial);
      CHECK(count.made == (primitive == wrong_call_within ? 2 : 1) * kTimes);
      CHECK(count.alive == 0);
      CHECK(trial.failed == (primitive == right_call ? 0 : kTimes));
    }
  }

  TEST_CASE("an exception that ends the run leaves no object behind") {
    Count count;
    for (int i = 0; i < 100; ++i) {
      Trial trial{out_of_memory, &count};
      Sandbox sandbox(patient_limits(), 1, {});
      CHECK_THROWS_AS(sandbox.enter(call_once, &trial), std::bad_alloc);
    }
    CHECK(count.made == 100);
    CHECK(count.alive == 0);
  }
}
