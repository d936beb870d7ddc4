#include "study/logs/map_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"
#include "engine/workload/formats/log_text.hpp"
#include "study/common/file_source.hpp"
#include "study/common/input_path.hpp"
#include "study/common/share_folder.hpp"
#include "study/logs/time_zone.hpp"
#include "study/scenario/toml_reading.hpp"

namespace berth::study {

namespace {

constexpr std::array<std::string_view, 2> kReadyMaps{"openb", "philly"};

[[noreturn]] void refuse_map(std::string_view place, std::string_view what) {
  throw Error(ErrorCode::kInput, fmt::format("{}{}", place, what));
}

void check_field(const ColumnField& field) {
  if (!is_table_field(field.field)) {
    std::vector<std::string_view> known(kTableFields.begin(), kTableFields.end());
    known.insert(known.end(), {"status", "nodes", "resource.KIND"});
    refuse_map(
        field.place,
        fmt::format("{} is no field of jobs{}; fields are {}", printable(field.field),
                    did_you_mean(field.field, known), fmt::join(known, ", ")));
  }
  if (!is_unit_of(field.field, field.unit)) {
    refuse_map(field.place, fmt::format("{}: '{}' is no unit of it", field.field,
                                        printable(field.unit)));
  }
}

void check_map(const ColumnMap& map, std::string_view place) {
  const auto has = [&](std::string_view name) {
    return std::any_of(map.fields.begin(), map.fields.end(),
                       [&](const auto& each) { return each.field == name; });
  };
  const bool has_length =
      has("length") || (has("end") && (has("start") || has("wait")));
  std::string missing;
  if (!has("size")) missing = "size";
  if (!has("submit") && !has("start")) missing = "submit";
  if (!has_length) missing = "length, or start and end";
  if (!missing.empty()) {
    refuse_map(place, fmt::format("the map has no {}", missing));
  }
}

// field=column[:unit], with commas between.
ColumnMap map_of_pairs(std::string_view text) {
  ColumnMap map;
  constexpr std::string_view kPlace = "--columns: ";
  while (!text.empty()) {
    auto pair = cut_off(text, ',');
    ColumnField field;
    field.place = kPlace;
    const auto whole = pair;
    field.field = cut_off(pair, '=');
    const auto colon = pair.rfind(':');
    field.column = pair;
    if (colon != pair.npos && is_unit_of(field.field, pair.substr(colon + 1))) {
      field.column = pair.substr(0, colon);
      field.unit = pair.substr(colon + 1);
    }
    if (field.column.empty()) {
      refuse_map(kPlace, fmt::format("'{}' is not field=column", printable(whole)));
    }
    check_field(field);
    map.fields.push_back(std::move(field));
  }
  check_map(map, kPlace);
  return map;
}

// The parts of a map file, with places.
class MapFile {
 public:
  MapFile(const std::string& path, const std::string& text)
      : path_(path), lines_(text), table_(parse_toml(path, text)) {}

  ColumnMap read() {
    ColumnMap map;
    map.name = std::filesystem::path(path_).stem().string();
    for (const auto& [key, node] : table_) read_top(key, node, map);
    check_map(map, printable_name(path_) + ":1:1: ");
    return map;
  }

 private:
  std::string place(const toml::source_position& at) const {
    const auto found = lines_.place(at);
    return fmt::format("{}:{}:{}: ", printable_name(path_), found.line, found.column);
  }
  [[noreturn]] void wrong(const toml::node& node, std::string_view what) const {
    refuse_map(place(node.source().begin), what);
  }
  std::string text_of(const toml::node& node, std::string_view key) const {
    const auto* text = node.as_string();
    if (text == nullptr) wrong(node, fmt::format("{} is a text", key));
    return text->get();
  }
  double number_of(const toml::node& node, std::string_view key) const {
    const auto value = node.value<double>();
    if (!value) wrong(node, fmt::format("{} is a number", key));
    return *value;
  }

  void read_top(const toml::key& key, const toml::node& node, ColumnMap& map) {
    if (key.str() == "header") {
      map.header = text_of(node, key.str());
    } else if (key.str() == "delimiter") {
      const auto text = text_of(node, key.str());
      if (text.size() != 1) wrong(node, "delimiter is one character");
      map.delimiter = text.front();
    } else if (key.str() == "time_zone") {
      map.zone = time_zone(text_of(node, key.str()));
    } else if (key.str() == "least_size") {
      map.least_size = node.value<std::int64_t>().value_or(-1);
      if (map.least_size < 1) wrong(node, "least_size is a whole number of at least 1");
    } else if (key.str() == "columns" && node.is_table()) {
      for (const auto& [field, said] : *node.as_table()) {
        map.fields.push_back(field_of(field, said));
      }
    } else if (key.str() == "keep" && node.is_table()) {
      for (const auto& [column, said] : *node.as_table()) {
        map.keep[std::string(column.str())] = words_of(said);
      }
    } else {
      constexpr std::array<std::string_view, 6> kKeys{
          "header", "delimiter", "time_zone", "least_size", "columns", "keep"};
      refuse_map(place(key.source().begin),
                 fmt::format("{} is no key of a map{}", printable(key.str()),
                             did_you_mean(key.str(), kKeys)));
    }
  }

  std::vector<std::string> words_of(const toml::node& node) const {
    const auto* list = node.as_array();
    if (list == nullptr) wrong(node, "keep has a list of values for a column");
    std::vector<std::string> words;
    for (const auto& each : *list) words.push_back(text_of(each, "a value"));
    return words;
  }

  ColumnField field_of(const toml::key& key, const toml::node& said) const {
    ColumnField field;
    field.field = key.str();
    field.place = place(key.source().begin);
    if (said.is_table()) {
      for (const auto& [part, node] : *said.as_table()) read_part(part, node, field);
    } else {
      field.column = text_of(said, field.field);
    }
    if (field.column.empty()) wrong(said, fmt::format("{}: no column", field.field));
    check_field(field);
    return field;
  }

  void read_part(const toml::key& key, const toml::node& node,
                 ColumnField& field) const {
    const auto name = key.str();
    if (name == "column") {
      field.column = text_of(node, name);
    } else if (name == "minus") {
      field.minus = text_of(node, name);
    } else if (name == "unit") {
      field.unit = text_of(node, name);
    } else if (name == "times") {
      field.times = number_of(node, name);
    } else if (name == "share") {
      field.share = text_of(node, name);
    } else if (name == "whole") {
      field.whole = number_of(node, name);
    } else if (name == "round") {
      field.round = word_of<ColumnField::Round>(node, {"none", "up", "down"});
    } else if (name == "of") {
      field.of = word_of<ColumnField::MemoryOf>(node, {"processor", "job", "node"});
    } else if (field.field == "status") {
      field.words[std::string(name)] = static_cast<std::int32_t>(number_of(node, name));
    } else {
      refuse_map(place(key.source().begin),
                 fmt::format("{} is no part of a field", printable(name)));
    }
  }

  // An enumeration in the order of these words.
  template <class T>
  T word_of(const toml::node& node,
            std::initializer_list<std::string_view> words) const {
    const auto text = text_of(node, "it");
    const auto* found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) {
      wrong(node, fmt::format("'{}' is not one of {}", printable(text),
                              fmt::join(words, ", ")));
    }
    return static_cast<T>(found - words.begin());
  }

  std::string path_;
  TomlLines lines_;
  toml::table table_;
};

ColumnMap map_of_file(const std::string& path) {
  const auto text = read_text(path);
  return MapFile(path, text).read();
}

std::string path_of_ready(std::string_view name) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const auto file = std::string(name) + ".toml";
  for (const auto& folder : share_folders("maps")) {
    if (fs::exists(folder / file, failed)) return (folder / file).string();
  }
  return (fs::path(BERTH_MAP_FOLDER) / file).string();
}

}  // namespace

bool is_ready_map(std::string_view name) {
  return std::find(kReadyMaps.begin(), kReadyMaps.end(), name) != kReadyMaps.end();
}

std::shared_ptr<const ColumnMap> column_map(const std::string& said) {
  if (is_ready_map(said)) {
    return std::make_shared<ColumnMap>(map_of_file(path_of_ready(said)));
  }
  if (said.find('=') != std::string::npos) {
    return std::make_shared<ColumnMap>(map_of_pairs(said));
  }
  if (said.ends_with(".toml")) {
    return std::make_shared<ColumnMap>(map_of_file(find_input(said)));
  }
  if (said == "auto") {
    refuse_map("--columns: ",
               "auto guesses a map and reads nothing: berth trace FILE --columns auto "
               "prints it, to be saved as a TOML file");
  }
  refuse_map("--columns: ",
             fmt::format("'{}' is no field=column, no file that ends in .toml and no "
                         "map of {}{}",
                         printable(said), fmt::join(kReadyMaps, ", "),
                         did_you_mean(said, kReadyMaps)));
}

std::shared_ptr<const ColumnMap> map_for_header(std::string_view header) {
  for (const auto name : kReadyMaps) {
    auto map = column_map(std::string(name));
    if (map->header == header) return map;
  }
  return nullptr;
}

}  // namespace berth::study
