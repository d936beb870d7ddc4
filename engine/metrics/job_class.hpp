#pragma once
// Classes of jobs that have metrics of their own: "mean_wait@short".

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

// The jobs for which a condition holds.
class JobClass {
 public:
  // "walltime <= 1h and size >= 64": comparisons (<, <=, >, >=, ==, !=) of size,
  // walltime, length, area (size times length, in processor seconds), user, group,
  // queue, executable or partition with a number, times in seconds or as "1h"; all of
  // them must hold.  Else the reason why it is none. A name has letters, digits and
  // "_", the first no digit.
  [[nodiscard]] static Result<JobClass, std::string> parse(std::string_view name,
                                                           std::string_view condition);

  [[nodiscard]] const std::string& name() const { return name_; }
  // As it was given to parse().
  [[nodiscard]] const std::string& condition() const { return condition_; }
  [[nodiscard]] bool has(const Job& job) const;

 private:
  friend class JobClasses;

  struct Term {
    double (*field)(const Job& job);
    bool (*holds)(double field, double value);
    double value;
  };
  std::string name_;
  std::string condition_;
  std::vector<Term> terms_;
};

// What a scenario says of classes.
class JobClasses {
 public:
  // Replaces one of the same name.
  void add(JobClass one);
  // One class for each value of this field: "user", "group", "queue" or "size".  False
  // for any other.
  [[nodiscard]] bool split_by(std::string_view field);

  [[nodiscard]] const std::vector<JobClass>& named() const { return named_; }
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  // Whether there may be a class of this name: "short", "user=7".
  [[nodiscard]] bool knows(std::string_view name) const;

  // The named classes, then "user=7" and so on for the values that these jobs have, in
  // ascending order; unknown values make no class.  Throws Error{kInput} for more than
  // a thousand.
  [[nodiscard]] std::vector<JobClass> of(std::span<const Job> jobs) const;

 private:
  std::vector<JobClass> named_;
  std::vector<std::string> fields_;
};

}  // namespace berth
