#include <doctest/doctest.h>

#include "bindings/tools/page.hpp"
#include "tests/bindings/tool_scene.hpp"

using namespace berth;            // NOLINT(google-build-using-namespace)
using namespace berth::bindings;  // NOLINT(google-build-using-namespace)
using test::ToolScene;

namespace {

struct PageReading {
  Page page{};
  Json json{};
  bool is_json = false;

  static int body(lua_State* lua) {
    auto& reading = *static_cast<PageReading*>(lua_touserdata(lua, 1));
    Sandbox::push_result(lua);
    const int at = lua_gettop(lua);
    return run_reader(lua, [&] {
      const std::string file = "t.lua";
      TableReader reader(lua, file);
      if (reading.is_json) {
        reading.json = read_json(reader, at);
      } else {
        reading.page = read_page(reader, at);
      }
    });
  }
};

// What the script returns.
PageReading page_reading(const std::string& script, bool is_json = false) {
  ToolScene scene;
  PageReading reading;
  reading.is_json = is_json;
  const auto outcome = scene.run(script);
  REQUIRE_MESSAGE(outcome.exit == 0, outcome.message);
  scene.sandbox().enter(PageReading::body, &reading, {"reading", 1});
  return reading;
}

Page page_of(const std::string& parts) {
  return page_reading("return out.page {\n" + parts + "}").page;
}

// The first line of what the script, or what it answers, is refused with.
std::string page_refusal(const std::string& script) {
  try {
    ToolScene scene;
    PageReading reading;
    const auto outcome = scene.run(script);
    if (outcome.exit != 0) return outcome.first_line();
    scene.sandbox().enter(PageReading::body, &reading, {"reading", 1});
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

constexpr auto kWaits =
    "out.title 'waits',\n"
    "out.text('%d jobs', 2),\n"
    "out.table { title = 'by reason', columns = {\n"
    "  'reason', { 'seconds', as = 'seconds' }, { 'share', as = 'percent' },\n"
    "  { 'mean', as = 'interval' } },\n"
    "  rows = { { 'no_room', 15885, 12.345, { 2.5, half = 0.25 } },\n"
    "           { 'a|b, \\n', 0.5, false, false } } },\n"
    "out.notes { 'one', 'two' }, out.numbered { 'first' },\n";

}  // namespace

TEST_SUITE("bindings/pages") {
  TEST_CASE("one page is written in five forms") {
    const auto page = page_of(kWaits);
    CHECK(as_text(page) ==
          "waits\n\n"
          "2 jobs\n\n"
          "by reason\n"
          "reason     seconds   share           mean\n"
          "no_room     15,885  12.3 %  2.500 ± 0.250\n"
          "a|b, \\x0a      0.5       -              -\n\n"
          "one\ntwo\n\n"
          "1. first\n");
    CHECK(as_markdown(page) ==
          "# waits\n\n"
          "2 jobs\n\n"
          "**by reason**\n\n"
          "| reason | seconds | share | mean |\n"
          "|---|---:|---:|---:|\n"
          "| no\\_room | 15,885 | 12.3 % | 2.500 ± 0.250 |\n"
          "| a\\|b, \\\\x0a | 0.5 | - | - |\n\n"
          "* one\n* two\n\n"
          "1. first\n");
    CHECK(as_latex(page) ==
          "% waits\n"
          "% 2 jobs\n"
          "% by reason\n"
          "\\begin{tabular}{lrrr}\n"
          "\\toprule\n"
          "reason & seconds & share & mean \\\\\n"
          "\\midrule\n"
          "no\\_room & 15,885 & 12.3 \\% & 2.500 ± 0.250 \\\\\n"
          "a\\textbar{}b, \\textbackslash{}x0a & 0.5 & - & - \\\\\n"
          "\\bottomrule\n"
          "\\end{tabular}\n\n"
          "% one\n% two\n"
          "% first\n");
    CHECK(as_csv(page) ==
          "reason,seconds,share,mean,mean half width\n"
          "no_room,15885,12.345,2.5,0.25\n"
          "\"a|b, \n\",0.5,,,\n");
    CHECK(
        as_json(page).compact() ==
        R"({"format":1,"parts":[{"title":"waits"},{"text":"2 jobs"},)"
        R"({"table":{"title":"by reason","columns":["reason","seconds","share","mean"],)"
        R"("rows":[["no_room",15885,12.345,{"mean":2.5,"half_width":0.25}],)"
        R"(["a|b, \n",0.5,null,null]]}},{"notes":["one","two"]},{"notes":["first"]}]})");
  }

  TEST_CASE("a column brings its values, and times stay exact") {
    const std::string shared =
        "columns = { { 'size', as = 'id', of = jobs.size }, { 'state', of = jobs.state "
        "},\n { 'wait', as = 'clock', of = jobs.wait }, { 'slow', as = out.fixed(2), "
        "of "
        "= jobs.slowdown }, { 'big', of = jobs.size:gt(2) } } },\n";
    const auto page = page_of("out.table { " + shared);
    CHECK(as_text(page) ==
          "size  state        wait  slow    big\n"
          "2     finished  0:00:00  1.00  false\n"
          "4     finished  0:00:30  2.50   true\n"
          "2     failed    0:00:10  1.50  false\n"
          "8     left            -     -   true\n");
    const auto file = page_of("out.file('some.csv', jobs), out.text 'x'");
    CHECK(as_text(file) == "x\n");
    CHECK(file.parts.front().file.name == "some.csv");
    CHECK(as_csv(file.parts.front().file) ==
          "size,wait,slowdown,user,state\n"
          "2,0,1,1,finished\n4,30,2.5,2,finished\n2,10,1.5,1,failed\n8,,,3,left\n");
    const auto chosen = page_of(
        "out.file('some.csv', { { 'n', as = 'id', of = jobs.size:map(function(n) "
        "return "
        "n > 2 and n or -1 end) }, { 't', as = 'ticks', of = jobs.user } })");
    CHECK(as_csv(chosen.parts.front().file) ==
          "n,t\n,0.000001\n4,0.000002\n,0.000001\n8,0.000003\n");
  }

  TEST_CASE("every shape of a value") {
    const auto shown = [](const std::string& arguments) {
      return test::ToolScene().run("print(out.shown(" + arguments + "))").printed;
    };
    CHECK(shown("1234567, 'whole'") == "1,234,567\n");
    CHECK(shown("-1234, 'whole'") == "-1,234\n");
    CHECK(shown("1234.5, 'seconds'") == "1234.5\n");
    CHECK(shown("-12345, 'seconds'") == "-12,345\n");
    CHECK(shown("23184539565657747, 'ticks'") == "23184539565.657747\n");
    CHECK(shown("100800, 'clock'") == "1-04:00:00\n");
    CHECK(shown("100800, 'human'") == "1 d 4 h\n");
    CHECK(shown("-0.25, 'pp'") == "-0.2 pp\n");
    CHECK(shown("0.25, out.fixed(1, true)") == "+0.2\n");
    CHECK(shown("0.00001, 'p'") == "<0.0001\n");
    CHECK(shown("0.5, 'p'") == "0.5000\n");
    CHECK(shown("-1, 'id'") == "\n");
    CHECK(shown("7, 'text'") == "7\n");
    CHECK(shown("false, 'percent'") == "-\n");
    CHECK(shown("1e300, 'seconds'") == "1e+300\n");
  }

  TEST_CASE("a wide table is folded, or transposed into several") {
    const std::string rows =
        "columns = { { 'workload.load', text = 'load' }, 'policy', { 'mean', as = "
        "'whole' } }, rows = { { '0.6', 'easy', 1000 }, { '0.6', 'fcfs', 20 } } },\n";
    const auto folded = page_of("out.table { wide = 'fold', " + rows);
    CHECK(as_text(folded, {20}) ==
          "load  policy   mean\n0.6   easy    1,000\n0.6   fcfs       20\n");
    CHECK(as_text(folded, {16}) ==
          "load\npolicy   mean\n0.6\neasy    1,000\nfcfs       20\n");
    CHECK(as_markdown(folded).starts_with("| workload.load | policy | mean |\n"));
    const auto turned = page_of(
        "out.table { wide = 'transpose', corner = 'policy', columns = { 'metric', "
        "'unit', { 'easy', as = 'whole' }, { 'fcfs', as = 'whole' } }, rows = {\n"
        "{ 'mean_wait', 's', { 90, best = true, below = { '1 m 30 s' } }, { 1200, mark "
        "= '!', aside = 'other jobs' } }, { 'utilisation', '%', 2, { 3, best = true } "
        "} "
        "} }");
    CHECK(as_text(turned) ==
          "metric       unit      easy         fcfs\n"
          "mean_wait    s           90*       1,200!\n"
          "                   1 m 30 s\n"
          "                              other jobs\n"
          "utilisation  %            2            3*\n");
    CHECK(as_text(turned, {38}) ==
          "             mean_\n"
          "              wait   utilisation\n"
          "policy           s             %\n"
          "easy            90*            2\n"
          "          1 m 30 s\n"
          "fcfs         1,200!            3*\n"
          "        other jobs\n");
    CHECK(as_text(turned, {20}) ==
          "             mean_\n"
          "              wait\n"
          "policy           s\n"
          "easy            90*\n"
          "          1 m 30 s\n"
          "fcfs         1,200!\n"
          "        other jobs\n\n"
          "        utilisation\n"
          "policy            %\n"
          "easy              2\n"
          "fcfs              3*\n");
    CHECK(as_markdown(turned) ==
          "| metric | unit | easy | fcfs |\n|---|---|---:|---:|\n"
          "| mean\\_wait | s | **90** | 1,200! (other jobs) |\n"
          "| utilisation | % | 2 | **3** |\n");
    const auto fewer = page_of(
        "out.table { wide = 'transpose', corner = 'policy', words = 1, left_out = 1, "
        "columns = { 'metric', 'easy' }, rows = { { 'load', 0.5 }, { 'mean_wait', 90 } "
        "} }");
    CHECK(as_text(fewer) == "metric     easy\nload        0.5\nmean_wait    90\n");
    CHECK(as_text(fewer, {12}) == "        mean_\npolicy   wait\neasy       90\n");
    CHECK(as_text(turned, {200, true}).find("\x1b[32m90*\x1b[0m") != std::string::npos);
  }

  TEST_CASE("a plain page escapes only what would end a line or a cell") {
    const auto page = page_of(
        "plain = true, spaced = true, out.text 'a_b <c>\\n\\27[31m', out.table { "
        "padded "
        "= true, columns = { 'x', 'long|head' }, rows = { { 'a_b', 'c' } } }, false, "
        "out.text ''");
    CHECK(as_markdown(page) ==
          "a_b <c>\\x0a\\x1b[31m\n\n"
          "| x   | long\\|head |\n|-----|------------|\n| a_b | c          |\n\n\n");
    CHECK(as_markdown(page, 10).find("| x | long\\|head |\n|---|---|\n| a_b | c |\n") !=
          std::string::npos);
    CHECK(as_text(page).find('\x1b') == std::string::npos);
  }

  TEST_CASE("an object keeps its order") {
    const auto json = page_reading(
                          "return out.object { { 'b', 1 }, { 'a', { 1.5, 'x', true } "
                          "}, { 'none', nil } }",
                          true)
                          .json;
    CHECK(json.compact() == R"({"b":1,"a":[1.5,"x",true],"none":null})");
  }

  TEST_CASE("what cannot be written is refused where it is made") {
    const auto table = [](const std::string& text) {
      return page_refusal("local a\na = out.table { " + text +
                          " }\nreturn out.page { a }");
    };
    CHECK(table("columns = { 'a' }, rows = { { 1, 2 } }") ==
          "t.lua:2: row 1: expected 1 cells, got 2");
    CHECK(table("columns = { { 'a', as = 'second' } }, rows = {}")
              .starts_with(
                  "t.lua:2: columns[1]: as: expected text, id, whole, seconds, "));
    CHECK(table("columns = { { 'a', as = 'seconds' } }, rows = { { 'x' } }") ==
          "t.lua:2: row 1, column 1: expected a number");
    CHECK(table("columns = { { 'a', as = 'ticks' } }, rows = { { 1.5 } }") ==
          "t.lua:2: row 1, column 1: expected a whole number");
    CHECK(table("columns = { 'a' }, rows = { { print } }") ==
          "t.lua:2: row 1, column 1: expected a number, a text or false, got function");
    CHECK(table("columns = { 'a' }, rows = { { { 1, besst = true } } }") ==
          "t.lua:2: row 1, column 1: there is no field 'besst' (did you mean 'best'?)");
    CHECK(
        table(
            "columns = { { 'a', of = jobs.size }, { 'b', of = jobs.size:top(2) } }") ==
        "t.lua:2: columns of 4 and 2 rows");
    CHECK(table("columns = { { 'a', of = 3 } }") ==
          "t.lua:2: columns[1]: of: expected a column");
    CHECK(table("columns = { 'a' }") == "t.lua:2: rows: expected a list of rows");
    CHECK(table("rows = {}") == "t.lua:2: columns: expected a list of columns");
    CHECK(table("columns = {}, rows = {}") ==
          "t.lua:2: columns: expected at least one");
    CHECK(table("columns = { 'a' }, rows = {}, wide = 'wrap'") ==
          "t.lua:2: wide must be \"fold\" or \"transpose\"");
    CHECK(page_refusal("return out.page { out.file('../x.csv', jobs) }") ==
          "t.lua:1: expected the name of a file such as \"waits.csv\"");
    CHECK(page_refusal("return out.page { 'text' }") ==
          "t.lua: expected a part of a page, such as out.text");
    CHECK(page_refusal("return { out.text 'x' }") ==
          "t.lua: expected a page, made by out.page");
    CHECK(page_refusal("out.text('%d', 'x')").starts_with("t.lua:1: bad argument #2"));
    CHECK(page_refusal("local t = out.table { columns = { 'a' }, rows = {} }\n"
                       "t.rows = { {} }\nreturn out.page { t }") ==
          "t.lua: row 1: expected 1 cells, got 0");
    CHECK(page_refusal("pcall(out.table, {}) return out.page {}") ==
          "out: columns: expected a list of columns");
    CHECK(page_refusal("out.fixed(18)").find("at most 17 decimals") !=
          std::string::npos);
  }

  TEST_CASE("a page counts to the limits of its script") {
    ToolScene scene(test::quick_limits());
    const auto outcome = scene.run(
        "local rows = {} for i = 1, 10000 do rows[i] = { 1, 2, 3, 4, 5, 6, 7, 8 } end\n"
        "for i = 1, 100 do out.table { columns = { 'a', 'b', 'c', 'd', 'e', 'f', 'g', "
        "'h' }, rows = rows } end");
    CHECK((outcome.exit == 5 || outcome.exit == 6));
  }
}
