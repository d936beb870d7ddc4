#pragma once
// Classes of jobs that have metrics of their own: "mean_wait@short".

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.hpp"

namespace berth {

// Some jobs of a workload.  Cheap to copy.
class JobClass {
 public:
  // Classes that have no job in common share the numbers.
  using Numbers = std::shared_ptr<const std::vector<std::uint16_t>>;

  // Those with this number.  REQUIRES: there is a number for each job of the workload.
  JobClass(std::string name, Numbers of_jobs, std::uint16_t own)
      : name_(std::move(name)), of_jobs_(std::move(of_jobs)), own_(own) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has(JobId job) const { return (*of_jobs_)[index(job)] == own_; }

 private:
  std::string name_;
  Numbers of_jobs_;
  std::uint16_t own_;
};

// What a scenario says of classes.
class JobClasses {
 public:
  struct Named {
    std::string name;
    std::string condition;  // as it was given
  };

  // Replaces one of the same name.
  void add(Named one);
  // One class for each value of this field: "user", "group", "queue" or "size".  False
  // for any other.
  [[nodiscard]] bool split_by(std::string_view field);

  [[nodiscard]] const std::vector<Named>& named() const { return named_; }
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] bool empty() const { return named_.empty() && fields_.empty(); }
  // Whether there may be a class of this name: "short", "user=7".
  [[nodiscard]] bool knows(std::string_view name) const;

 private:
  std::vector<Named> named_;
  std::vector<std::string> fields_;
};

}  // namespace berth
