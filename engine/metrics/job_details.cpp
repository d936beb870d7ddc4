#include "engine/metrics/job_details.hpp"

#include <limits>

namespace berth {

namespace {

using Numbers = std::map<std::string, std::vector<double>, std::less<>>;

// Keeps the numbers that are told of one job.
class NumberFields final : public FieldWriter {
 public:
  NumberFields(Numbers& all, std::size_t jobs, JobId job)
      : all_(all), jobs_(jobs), job_(job) {}

  void number(std::string_view name, double value) override {
    auto at = all_.find(name);
    if (at == all_.end()) {
      const std::vector<double> none(jobs_, std::numeric_limits<double>::quiet_NaN());
      at = all_.emplace(name, none).first;
    }
    at->second[index(job_)] = value;
  }
  void whole(std::string_view name, std::int64_t value) override {
    number(name, static_cast<double>(value));
  }
  void text(std::string_view, std::string_view) override {}
  void texts(std::string_view, std::span<const std::string_view>) override {}
  void numbers(std::string_view, std::span<const double>) override {}

 private:
  Numbers& all_;
  std::size_t jobs_;
  JobId job_;
};

}  // namespace

void JobDetails::keep(const sim::Subject& who) {
  const auto& account = who.entry->account;
  const bool is_moved = account.kills != 0 || account.migrations != 0 ||
                        account.swaps != 0 || account.suspensions != 0;
  if (is_moved) accounts_[who.id] = account;
  if (measure_ == nullptr || measure_->job_columns().empty()) return;
  NumberFields fields(numbers_, jobs_, who.id);
  measure_->tell_job(who, fields);
}

}  // namespace berth
