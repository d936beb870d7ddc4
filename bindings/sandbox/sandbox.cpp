#include "bindings/sandbox/sandbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/safe_text.hpp"
#include "engine/base/plain_locale.hpp"

namespace berth::bindings {

namespace {

constexpr std::size_t kExcerptBytes = 160;
constexpr const char* kResult = "berth.result";

// The file name as Lua shortens it in messages.
std::string shown(const std::string& name) {
  if (name.size() + 1 < LUA_IDSIZE) return name;
  return "..." + name.substr(name.size() + 4 - LUA_IDSIZE);
}

std::string_view line_of(std::string_view text, int number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// The number that `text` begins with, if a colon follows; else 0.
int leading_line(std::string_view text) {
  int number = 0;
  std::size_t at = 0;
  for (; at < text.size() && at < 9 && text[at] >= '0' && text[at] <= '9'; ++at) {
    number = number * 10 + (text[at] - '0');
  }
  return at < text.size() && text[at] == ':' ? number : 0;
}

std::string error_text(lua_State* lua) {
  switch (lua_type(lua, -1)) {
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* text = lua_tolstring(lua, -1, &length);
      return {text, std::min(length, kMessageBytes)};
    }
    case LUA_TNUMBER:
      if (lua_isinteger(lua, -1) != 0) return fmt::format("{}", lua_tointeger(lua, -1));
      return fmt::format("{}", lua_tonumber(lua, -1));
    default: return fmt::format("(error object is a {})", luaL_typename(lua, -1));
  }
}

// Pushes a table with the functions of the table at `index`.
void push_functions(lua_State* lua, int index) {
  constexpr int kOfLibrary = 32;  // about as many as one has
  lua_createtable(lua, 0, kOfLibrary);
  lua_pushnil(lua);
  while (lua_next(lua, index) != 0) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    if (lua_isfunction(lua, -1)) {
      lua_rawset(lua, -4);
    } else {
      lua_pop(lua, 2);
    }
  }
}

// Lua looks here for the name of a function called without one, as by pcall.  Copies,
// so that a script cannot change error messages.
void remember_names(lua_State* lua, int environment) {
  lua_newtable(lua);
  push_functions(lua, environment);
  lua_setfield(lua, -2, LUA_GNAME);
  for (const char* library : {"string", "table", "math"}) {
    lua_getfield(lua, environment, library);
    push_functions(lua, lua_gettop(lua));
    lua_setfield(lua, -3, library);
    lua_pop(lua, 1);
  }
  lua_setfield(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::optional<int> run() {
    while (at_ < text_.size()) {
      token();
      if (chain_.accesses > kMaxAccesses || chain_.all > kMaxIndexed) return line();
    }
    return std::nullopt;
  }

 private:
  struct Chain {
    int accesses = 0;
    int all = 0;  // those of the indices between brackets, too
  };

  [[nodiscard]] int line() const {
    const auto before = text_.substr(0, at_);
    return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t count) { at_ = std::min(at_ + count, text_.size()); }
  // To the end of `closing`, or of the text.
  void advance_past(std::string_view closing, std::size_t from) {
    const auto end = text_.find(closing, at_ + from);
    at_ = end == std::string_view::npos ? text_.size() : end + closing.size();
  }

  // Bytes of a long bracket `[==[` here; 0: there is none.
  [[nodiscard]] std::size_t long_bracket() const {
    if (peek() != '[') return 0;
    std::size_t length = 1;
    while (peek(length) == '=') ++length;
    return peek(length) == '[' ? length + 1 : 0;
  }

  void skip_long(std::size_t opening) {
    advance_past("]" + std::string(opening - 2, '=') + "]", opening);
  }

  void skip_comment() {
    advance(2);
    if (const std::size_t opening = long_bracket(); opening > 0) {
      skip_long(opening);
    } else {
      advance_past("\n", 0);
    }
  }

  void skip_string() {
    const char quote = peek();
    std::size_t length = 1;
    while (at_ + length < text_.size() && peek(length) != quote) {
      length += peek(length) == '\\' ? 2 : 1;
    }
    advance(length + 1);
  }

  // A name or a numeral: `1.5` and `1..2` hold no access.
  void skip_word(bool is_numeral) {
    std::size_t length = 0;
    while (is_name(peek(length)) || (is_numeral && peek(length) == '.')) ++length;
    advance(length);
  }

  // `.name` and `:name`, or an operator of dots or colons.
  void dot_or_colon() {
    const char mark = peek();
    std::size_t length = 1;
    while (peek(length) == mark) ++length;
    const bool is_numeral = mark == '.' && length == 1 && is_digit(peek(1));
    after_mark_ = length == 1 && !is_numeral;
    chain_ = after_mark_ ? Chain{chain_.accesses + 1, chain_.all + 1} : Chain{};
    if (is_numeral) return skip_word(true);
    advance(length);
  }

  void open() {
    outer_.push_back(std::exchange(chain_, {}));
    advance(1);
  }

  void close(char bracket) {
    const Chain inner = chain_;
    chain_ = outer_.empty() ? Chain{} : outer_.back();
    if (!outer_.empty()) outer_.pop_back();
    if (bracket == ')') {  // a chain in parentheses continues after them
      chain_ = {std::max(chain_.accesses, inner.accesses),
                std::max(chain_.all, inner.all)};
    } else if (bracket == ']') {
      chain_ = {chain_.accesses + 1, chain_.all + inner.all + 1};
    }
    advance(1);
  }

  void token() {
    const char c = peek();
    const bool follows_mark = after_mark_;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return advance(1);
    if (c == '-' && peek(1) == '-') return skip_comment();
    after_mark_ = false;
    if (c == '"' || c == '\'') return skip_string();
    if (const std::size_t opening = long_bracket(); opening > 0)
      return skip_long(opening);
    if (c == '.' || c == ':') return dot_or_colon();
    if (c == '(' || c == '[' || c == '{') return open();
    if (c == ')' || c == ']' || c == '}') return close(c);
    if (!follows_mark) chain_ = {};
    if (is_name(c)) return skip_word(is_digit(c));
    advance(1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Chain chain_;
  bool after_mark_ = false;   // the last token was `.` or `:`
  std::vector<Chain> outer_;  // chains interrupted by brackets
};

}  // namespace

std::optional<int> long_access_chain(std::string_view text) { return Scan(text).run(); }

Sandbox::Sandbox(const Limits& limits, std::uint64_t seed, Host host)
    : host_(std::move(host)),
      guard_(limits, host_.allocate, host_.allocate_context,
             limits.need_watchdog() && host_.watchdog ? host_.watchdog() : nullptr),
      random_(random_stream(seed, "policy")),
      lua_(lua_newstate(&Guard::allocate, &guard_)) {
  if (lua_ == nullptr) throw Error(ErrorCode::kMemory, "no memory for a Lua state");
  guard_.attach(lua_.get(), *this);
  lua_gc(lua_.get(), LUA_GCINC, 0, 0, 0);
  lua_pushcfunction(lua_.get(), build);
  if (lua_pcall(lua_.get(), 0, 0, 0) != LUA_OK) {
    throw Error(ErrorCode::kMemory, "no memory for the environment of a policy");
  }
}

Sandbox::~Sandbox() = default;

Sandbox& Sandbox::of(lua_State* lua) { return Guard::of(lua).owner(); }

int Sandbox::build(lua_State* lua) {
  open_base(lua);
  open_string(lua);
  lua_setfield(lua, -2, "string");
  open_table(lua);
  lua_setfield(lua, -2, "table");
  open_math(lua);
  lua_setfield(lua, -2, "math");
  remember_names(lua, lua_gettop(lua));
  lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  return 0;
}

void Sandbox::load(std::string_view name, std::string_view text) {
  guard_.name(std::string(name));
  offer({std::string(name), std::string(text)});
  guard_.admit_signal();
  loading_ = true;
  try {
    enter(run_chunk, this, {"load", 0});
  } catch (...) {
    loading_ = false;
    throw;
  }
  loading_ = false;
}

int Sandbox::run_chunk(lua_State* lua) {
  of(lua).compile_offered(lua);
  begin_metatables(lua);
  lua_call(lua, 0, 1);
  settle_metatables(lua);
  lua_setfield(lua, LUA_REGISTRYINDEX, kResult);
  return 0;
}

void Sandbox::push_result(lua_State* lua) {
  lua_getfield(lua, LUA_REGISTRYINDEX, kResult);
}

void Sandbox::offer(LoadedSource source) {
  problem_ = problem_of(source);
  guard_.hold(source.text.size());
  sources_.push_back(std::move(source));
}

std::string Sandbox::problem_of(const LoadedSource& source) const {
  const std::size_t limit = guard_.limits().source_kib;
  if (limit > 0 && source.text.size() > limit * 1024) {
    return fmt::format(
        "{}:1: the text has {} bytes, allowed are {} KiB; move parts of it "
        "to a file of their own and `require` it",
        source.name, grouped(static_cast<std::int64_t>(source.text.size())), limit);
  }
  if (source.text.starts_with(LUA_SIGNATURE)) {
    return fmt::format("{}:1: this is precompiled Lua; give its text", source.name);
  }
  if (const auto line = long_access_chain(source.text)) {
    return fmt::format(
        "{}:{}: more than {} accesses in a row, or {} with those in brackets; keep a "
        "value in between in a local variable",
        source.name, *line, kMaxAccesses, kMaxIndexed);
  }
  return {};
}

void Sandbox::compile_offered(lua_State* lua) {
  if (!problem_.empty()) {
    // A script that `require`s the file cannot catch this.
    Guard::host_work(
        lua, [this] { throw Error(ErrorCode::kPolicy, report(problem_, {}, {})); });
  }
  const LoadedSource& source = sources_.back();
  scratch_ = "@" + source.name;
  const int status = luaL_loadbufferx(lua, source.text.data(), source.text.size(),
                                      scratch_.c_str(), "t");
  if (status == LUA_ERRMEM) {
    guard_.note_memory_error();
    guard_.raise(lua);
  }
  if (status == LUA_OK) return;
  // Some refusals of the compiler, such as "C stack overflow", name no place.
  bool is_placed = true;
  Guard::host_work(lua, [&] { is_placed = source_of(error_text(lua)) != nullptr; });
  if (!is_placed) {
    lua_pushfstring(lua, "%s:1: %s", source.name.c_str(), lua_tostring(lua, -1));
  }
  lua_error(lua);
}

// For values pushed outside a protected call.
void Sandbox::make_room(int values) {
  if (lua_checkstack(lua_.get(), values) != 0) return;
  throw Error(ErrorCode::kMemory, "no memory for the stack of a policy");
}

std::string Sandbox::with_whole_name(const std::string& message) const {
  const auto* source = source_of(message);
  if (source == nullptr || message.starts_with(source->name)) return message;
  return source->name + message.substr(shown(source->name).size());
}

std::string Sandbox::place() const { return place_of(lua_.get(), 0); }

void Sandbox::enter(lua_CFunction body, void* context, Errand errand) {
  if (spent_) std::rethrow_exception(spent_);
  lua_State* lua = lua_.get();
  make_room(4);
  lua_pushcfunction(lua, on_error);
  lua_pushcfunction(lua, body);
  lua_pushlightuserdata(lua, context);
  const int handler = lua_gettop(lua) - 2;
  const PlainLocale locale;
  const int status = run(1, handler, errand);
  lua_remove(lua, handler);
  if (status != LUA_OK || guard_.tripped() != Trip::kNone) fail(status);
}

void Sandbox::prepare(const std::array<int, kPrepared>& call) {
  lua_State* lua = lua_.get();
  BERTH_ASSERT(lua_gettop(lua) == 0);
  lua_pushcfunction(lua, on_error);
  for (const int value : call) lua_rawgeti(lua, LUA_REGISTRYINDEX, value);
}

void Sandbox::call_prepared(Errand errand) {
  if (spent_) std::rethrow_exception(spent_);
  lua_State* const lua = lua_.get();
  for (int i = 0; i < kPrepared; ++i) lua_pushvalue(lua, i + 2);
  guard_.begin(errand);
  if (host_.entry) host_.entry(&errand);
  const int status = lua_pcall(lua, kPrepared - 1, 0, 1);
  if (host_.entry) host_.entry(nullptr);
  guard_.end();
  if (status != LUA_OK || guard_.tripped() != Trip::kNone) fail(status);
}

// Calls the function below its arguments; `handler` is a stack index.
int Sandbox::run(int arguments, int handler, const Errand& errand) {
  const bool is_outermost = !guard_.is_inside();
  if (is_outermost) guard_.begin(errand);
  if (host_.entry) host_.entry(&errand);
  const int status = lua_pcall(lua_.get(), arguments, 0, handler);
  if (host_.entry) host_.entry(nullptr);
  if (is_outermost) guard_.end();
  return status;
}

int Sandbox::on_error(lua_State* lua) {
  Sandbox& sandbox = of(lua);
  if (sandbox.guard_.tripped() == Trip::kNone) sandbox.note_error(lua);
  return 1;
}

void Sandbox::note_error(lua_State* lua) noexcept {
  try {
    place_ = place_of(lua, 1);
    trace_ = traceback(lua, 1);
  } catch (const std::bad_alloc&) {
    trace_.clear();
  }
}

void Sandbox::fail(int status) {
  if (status == LUA_ERRMEM) guard_.note_memory_error();
  std::string first = status == LUA_OK ? "" : error_text(lua_.get());
  if (status != LUA_OK) lua_pop(lua_.get(), 1);
  if (guard_.tripped() != Trip::kNone) fail_tripped();
  if (status < LUA_OK) {
    throw Error(ErrorCode::kDefect, "a C++ exception passed through Lua");
  }
  first += name_hint(first);
  if (source_of(first) != nullptr) {
    first = with_whole_name(first);
  } else if (!place_.empty()) {
    first = place_ + ": " + first;
  }
  const std::string trace = std::exchange(trace_, {});
  place_.clear();
  throw Error(ErrorCode::kPolicy, report(first, {}, trace));
}

void Sandbox::fail_tripped() {
  if (guard_.tripped() == Trip::kHost) {
    spent_ = guard_.kept();
  } else {
    const std::string place = guard_.place().empty() ? sources_place() : guard_.place();
    const auto code =
        guard_.tripped() == Trip::kMemory ? ErrorCode::kMemory : ErrorCode::kTime;
    spent_ = std::make_exception_ptr(
        Error(code, report(place + ": " + limit_text(), limit_hint(), guard_.trace())));
  }
  std::rethrow_exception(spent_);
}

std::string Sandbox::sources_place() const {
  return sources_.empty() ? std::string("policy") : sources_.front().name;
}

std::string Sandbox::limit_text() const {
  const Limits& limits = guard_.limits();
  if (const Refused* refused = guard_.refused()) {
    return fmt::format("{} limit: {}{}{} (limit {})",
                       refused->limit_on == Trip::kWork ? "work" : "memory",
                       refused->before,
                       grouped(static_cast<std::int64_t>(refused->amount)),
                       refused->behind, refused->limit);
  }
  switch (guard_.tripped()) {
    case Trip::kTime:
      return fmt::format("time limit: this {} ran for {:g} s", guard_.errand().kind,
                         limits.time_seconds);
    case Trip::kWork:
      return fmt::format("work limit{} ({} units) reached in {}",
                         guard_.is_run_overspent() ? " of the run" : "",
                         grouped(guard_.is_run_overspent() ? limits.run_work_units
                                                           : limits.work_units),
                         standing());
    default: break;
  }
  if (guard_.is_heap_exhausted()) return "memory limit: this computer has no more";
  return fmt::format("memory limit: {} MiB live", limits.memory_mib);
}

std::string_view Sandbox::limit_hint() const {
  if (!guard_.limits().are_options) return {};
  if (const Refused* refused = guard_.refused()) return refused->hint;
  switch (guard_.tripped()) {
    case Trip::kTime: return "raise it with --time-limit SECONDS; 0 switches it off";
    case Trip::kWork: return "raise it with --work-limit UNITS; 0 switches it off";
    default: break;
  }
  return "raise it with --memory-limit MIB; 0 switches it off";
}

std::string Sandbox::standing() const {
  const Errand& errand = guard_.errand();
  if (loading_) return "the load";
  if (host_.where) return host_.where();
  return fmt::format("{} {}", errand.kind, errand.number);
}

// The loaded file whose name begins the message; null: none.
const LoadedSource* Sandbox::source_of(std::string_view message) const {
  const auto begins_with = [&](const std::string& name) {
    return message.starts_with(name + ":") &&
           leading_line(message.substr(name.size() + 1)) > 0;
  };
  for (const LoadedSource& source : sources_) {
    if (begins_with(source.name) || begins_with(shown(source.name))) return &source;
  }
  return nullptr;
}

std::string Sandbox::excerpt(std::string_view message) const {
  const LoadedSource* source = source_of(message);
  if (source == nullptr) return {};
  const int line = leading_line(message.substr(source->name.size() + 1));
  const std::string text = plain_text(line_of(source->text, line), Newlines::kEscape);
  if (text.empty()) return {};
  return fmt::format("{:>6} | {}\n", line, shortened(text, kExcerptBytes));
}

std::string Sandbox::report(std::string_view first, std::string_view hint,
                            std::string_view trace) const {
  std::string out = shortened(plain_text(first, Newlines::kKeep), kMessageBytes / 2);
  out += '\n';
  if (!hint.empty()) out += fmt::format("  ({})\n", hint);
  out += excerpt(first);
  if (!trace.empty()) {
    out += "stack traceback:\n" + plain_text(trace, Newlines::kKeep);
  }
  if (!loading_) out += fmt::format("in {}\n", standing());
  out.pop_back();
  return shortened(std::move(out), kMessageBytes);
}

}  // namespace berth::bindings
