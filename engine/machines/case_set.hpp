#pragma once
// A study without jobs over time: cases that each policy answers one by one, as packers
// answer instances.

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/field_writer.hpp"
#include "engine/base/setting.hpp"
#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// What answers a case, as a field of a policy file; the machine of the study knows its
// type.
class CaseHook {
 public:
  virtual ~CaseHook() = default;
};

// What one policy answered, case by case; likewise.
class CaseAnswers {
 public:
  virtual ~CaseAnswers() = default;
};

// The cases of one point of a study.
class CaseSet {
 public:
  virtual ~CaseSet() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  // " of 8 jobs on 4 hosts", if they were drawn; for messages.
  [[nodiscard]] virtual std::string words() const = 0;
  // All of them, as a CSV file.
  virtual void write(std::ostream& to) const = 0;

  // None yet.
  [[nodiscard]] virtual std::unique_ptr<CaseAnswers> answers() const = 0;
  // Adds the answer to case `number`, which is the next.  Throws what the hook throws.
  // Threads  Any, each with a hook and answers of its own.
  virtual void answer(CaseHook& hook, std::size_t number, CaseAnswers& answers) = 0;
  // How many of them solve their case.
  [[nodiscard]] virtual std::size_t solved(const CaseAnswers& answers) const = 0;
  // The metrics of each policy, which may depend on those of the others; null, and then
  // nullopt: it has no answers.
  [[nodiscard]] virtual std::vector<std::optional<Summary>> summaries(
      std::span<const CaseAnswers* const> of_policies) const = 0;
  // Tells the columns of one answer.
  virtual void tell(const CaseAnswers& answers, std::size_t number,
                    FieldWriter& to) const = 0;
  // Adds an answer as it was told; `field`: the text of a column.
  using FieldOf = std::function<std::string_view(std::string_view column)>;
  virtual void read(const FieldOf& field, CaseAnswers& answers) const = 0;
};

// What cases are made from.
struct CaseSpec {
  const std::any& settings;
  std::uint64_t seed;
  // The file of cases: its name for messages, and its text; empty: they are drawn.
  std::string file;
  std::optional<std::string> text;
};

struct CaseStudy {
  std::string_view name;   // "packing": `study` of a scenario, and its section of keys
  std::string_view help;   // what is studied
  std::string_view hook;   // the field of a policy file that answers a case: "pack"
  std::string_view asks;   // its parameters, for messages
  std::string_view cases;  // "instances": what cases are called, and their file
  std::string_view answers;  // "packings": likewise, of one policy
  std::string_view solved;   // "packed": what is said of a case that was solved
  std::span<const std::string_view> columns;  // of answers, in their order
  std::vector<MetricRecord> (*metrics)();
  std::span<const std::string_view> usual;  // of them, shown where none are named
  // Settings without a meaning beside "file", which names a file of cases.
  std::span<const std::string_view> of_drawn;
  OwnSettings (*settings)();
  // So that there are at most so many cases.
  void (*shorten)(std::any& settings, std::int64_t most);
  // Settings for a trial of a policy on so many cases.
  std::any (*trial)(std::int64_t cases);
  // Throws Error{kInput, kUsage} for what cannot be made.
  std::unique_ptr<CaseSet> (*make)(const CaseSpec& spec, Budget& budget);
};

}  // namespace berth
