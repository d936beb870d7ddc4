#include "study/inputs/job_cells.hpp"

namespace berth::study {

using Given = JobFileForm::Given;

JobCells::JobCells(const MappedTable& table, std::size_t first, const JobFileForm& form,
                   JobValues& to)
    : table_(table), first_(first), form_(form), values_(to) {
  for (std::size_t i = 0; i < form_.columns.size(); ++i) {
    const auto& keeps = form_.columns[i].keeps;
    if (table_.has(first_ + i) && !keeps.empty()) values_.columns[keeps];
  }
}

// The number that stands for a text.
double JobCells::number_of(const std::string& column, std::string_view text) {
  auto& known = numbers_of_[column];
  const auto number = static_cast<double>(known.size());
  const auto [at, is_new] = known.try_emplace(std::string(text), number);
  if (is_new) values_.texts[column].emplace_back(text);
  return at->second;
}

std::optional<double> JobCells::cell(std::size_t number) {
  const auto& column = form_.columns[number];
  const auto field = first_ + number;
  const auto text = table_.text(field);
  if (!table_.has(field)) return std::nullopt;
  if (column.given == Given::kOrEmpty && text.empty()) return std::nullopt;
  auto value = column.is_text ? number_of(column.keeps, text) : table_.real(field);
  const auto wrong = column.check ? column.check(value, text) : std::string();
  if (!wrong.empty()) table_.wrong(field, wrong);
  return value;
}

void JobCells::read(const Job* job) {
  numbers_.clear();
  for (std::size_t i = 0; i < form_.columns.size(); ++i) numbers_.push_back(cell(i));
  if (job == nullptr) return;
  if (form_.check) {
    const auto wrong = form_.check(*job, numbers_);
    if (wrong) table_.wrong_at(first_ + wrong->column, wrong->what);
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const auto& keeps = form_.columns[i].keeps;
    if (!numbers_[i] || keeps.empty()) continue;
    values_.columns[keeps][job->id].push_back(*numbers_[i]);
  }
}

void add_fields(std::vector<MappedTable::Field>& fields, const JobFileForm& form) {
  fields.reserve(fields.size() + form.columns.size());
  for (const auto& column : form.columns) {
    fields.emplace_back(column.name, column.given == Given::kAlways);
  }
}

}  // namespace berth::study
