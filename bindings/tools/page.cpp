#include "bindings/tools/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/compare/text_table.hpp"

namespace berth::bindings {

namespace {

constexpr int kDeepestAnswer = 16;

// Calls `read` for each element of the list at `at`, with the element on the top.
template <class Read>
void for_each_element(TableReader& reader, int at, const Read& read) {
  auto* lua = reader.lua();
  reader.require(lua_type(lua, at) == LUA_TTABLE, "a list is expected in an answer");
  luaL_checkstack(lua, 8, nullptr);
  const auto list = lua_absindex(lua, at);
  const auto count = static_cast<lua_Integer>(lua_rawlen(lua, list));
  for (lua_Integer i = 1; i <= count; ++i) {
    reader.keep(0);
    lua_rawgeti(lua, list, i);
    read();
    lua_pop(lua, 1);
  }
}

Json json_at(TableReader& reader, int at, int depth) {
  auto* lua = reader.lua();
  reader.require(depth < kDeepestAnswer, "an answer is nested too deeply");
  switch (lua_type(lua, at)) {
    case LUA_TNIL: return {};
    case LUA_TBOOLEAN: return lua_toboolean(lua, at) != 0;
    case LUA_TNUMBER:
      if (lua_isinteger(lua, at) != 0) return Json(lua_tointeger(lua, at));
      return lua_tonumber(lua, at);
    case LUA_TSTRING: return reader.kept(at, "a text", kStringBytes);
    default: break;
  }
  reader.require(lua_type(lua, at) == LUA_TTABLE, "an answer holds no such value");
  if (reader.push(lua_absindex(lua, at), "object") == LUA_TNIL) {
    lua_pop(lua, 1);
    auto list = Json::array();
    for_each_element(reader, at,
                     [&] { list.append(json_at(reader, lua_gettop(lua), depth + 1)); });
    return list;
  }
  auto object = Json::object();
  for_each_element(reader, -1, [&] {
    const int member = lua_gettop(lua);
    reader.require(lua_type(lua, member) == LUA_TTABLE, "a member is no list");
    lua_rawgeti(lua, member, 1);
    lua_rawgeti(lua, member, 2);
    reader.require(lua_type(lua, -2) == LUA_TSTRING, "a member has no name");
    const auto name = reader.kept(-2, "a name");
    object.add(name, json_at(reader, lua_gettop(lua), depth + 1));
    lua_pop(lua, 2);
  });
  lua_pop(lua, 1);
  return object;
}

std::vector<std::string> texts_in(TableReader& reader, int table, const char* key) {
  std::vector<std::string> texts;
  if (reader.push(table, key) != LUA_TNIL) texts = read_texts(reader, -1);
  lua_pop(reader.lua(), 1);
  return texts;
}

PagePart part_at(TableReader& reader, int at) {
  auto* lua = reader.lua();
  reader.require(lua_type(lua, at) == LUA_TTABLE, "a part of a page is a table");
  PagePart part{reader.text(at, "kind").value_or("")};
  if (reader.push(at, "text") == LUA_TSTRING) {
    part.text = reader.kept(-1, "text", kStringBytes);
  }
  lua_pop(lua, 1);
  part.lines = texts_in(reader, at, part.kind == "table" ? "columns" : "notes");
  if (reader.push(at, "rows") != LUA_TNIL) {
    for_each_element(reader, -1, [&] {
      part.rows.push_back(read_texts(reader, lua_gettop(lua)));
      reader.require(part.rows.back().size() == part.lines.size(),
                     "a row of a table has another length than its head");
    });
  }
  lua_pop(lua, 1);
  return part;
}

std::string in_cell(std::string_view text) {
  std::string made = plain_text(text, Newlines::kEscape);
  for (std::size_t at = 0; (at = made.find('|', at)) != std::string::npos; at += 2) {
    made.insert(at, 1, '\\');
  }
  return made;
}

std::string pipe_table(const PagePart& part, std::size_t columns) {
  std::vector<std::size_t> widths(part.lines.size());
  auto lines = part.rows;
  lines.insert(lines.begin(), part.lines);
  for (auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = in_cell(line[i]);
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  const auto all = std::accumulate(widths.begin(), widths.end(), 3 * widths.size() + 1);
  if (all > columns) std::fill(widths.begin(), widths.end(), 0);
  std::string text;
  std::string rule = "|";
  for (const auto each : widths)
    rule += std::string(each == 0 ? 3 : each + 2, '-') + "|";
  for (std::size_t row = 0; row < lines.size(); ++row) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto& cell = lines[row][i];
      const auto room = std::max(widths[i], width(cell)) - width(cell);
      text += "| " + cell + std::string(room + 1, ' ');
    }
    text += "|\n";
    if (row == 0) text += rule + "\n";
  }
  return text;
}

std::string markdown_of(const PagePart& part, std::size_t columns) {
  if (part.kind == "table") return pipe_table(part, columns);
  std::string text;
  std::size_t number = 0;
  for (const auto& line : part.lines) {
    const auto mark = part.kind == "notes" ? fmt::format("{}.", ++number) : "*";
    text += fmt::format("{} {}\n", mark, plain_text(line, Newlines::kEscape));
  }
  if (!part.lines.empty()) return text;
  return fmt::format("{}{}\n", part.kind == "title" ? "# " : "",
                     plain_text(part.text, Newlines::kEscape));
}

}  // namespace

std::vector<std::string> read_texts(TableReader& reader, int at) {
  std::vector<std::string> texts;
  for_each_element(reader, at, [&] {
    reader.require(lua_type(reader.lua(), -1) == LUA_TSTRING,
                   "a text is expected in an answer");
    texts.push_back(reader.kept(-1, "a text", kStringBytes));
  });
  return texts;
}

Page read_page(TableReader& reader, int at) {
  Page page;
  for_each_element(reader, at,
                   [&] { page.push_back(part_at(reader, lua_gettop(reader.lua()))); });
  return page;
}

Json read_json(TableReader& reader, int at) { return json_at(reader, at, 0); }

std::string as_markdown(const Page& page, std::size_t columns) {
  std::string text;
  for (const auto& part : page) {
    if (!text.empty()) text += "\n";
    text += markdown_of(part, columns);
  }
  return text;
}

}  // namespace berth::bindings
