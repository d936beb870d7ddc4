#pragma once
// The allocation of a job: the processors that it has, and what its machine keeps
// besides, which is the form of the placement.
//
// A form never changes and is shared by the copies of a placement.  Machines make and
// read forms; other code passes placements on and asks the functions below.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/interval_set.hpp"

namespace berth {

class FieldWriter;

class Placement {
 public:
  // Whether other jobs may have its processors at the same time.
  enum class Use : std::uint8_t { kAlone, kShared };

  class Form {
   public:
    virtual ~Form() = default;
    // How many processors, slots, VMs or tasks it has: as many as the job asks for
    // processors.
    [[nodiscard]] virtual std::int64_t parts(const IntervalSet& processors) const {
      return processors.count();
    }
    // How many of these parts are elsewhere than in `before`.  REQUIRES: that is of the
    // same machine, with as many parts.
    [[nodiscard]] virtual std::int64_t moved_from(const Form& /*before*/) const {
      return 0;
    }
    // Appends what result files show instead of the processors: no comma, no line end.
    virtual void text(const IntervalSet& processors, std::string& to) const {
      to += processors.text();
    }
    // The columns that it has besides, always the same ones in the same order.
    virtual void columns(FieldWriter&) const {}
    [[nodiscard]] virtual bool equals(const Form& other) const = 0;

   protected:
    explicit Form(const void* tag) : tag_(tag) {}
    Form(const Form&) = default;
    Form& operator=(const Form&) = default;

   private:
    friend class Placement;
    const void* tag_;  // tells the forms of machines apart without a cast by name
  };

  // The form of one machine: struct TierSlots final : Placement::FormOf<TierSlots>,
  // with an operator==.
  template <class Own>
  class FormOf : public Form {
   public:
    FormOf() : Form(&kTag) {}
    [[nodiscard]] bool equals(const Form& other) const final {
      return static_cast<const Own&>(*this) == static_cast<const Own&>(other);
    }
    // It has no member.
    friend bool operator==(const FormOf&, const FormOf&) { return true; }

   private:
    friend class Placement;
    static inline const char kTag = 0;
  };

  // No processor.
  Placement() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a set of processors is a placement
  Placement(IntervalSet processors) : processors_(std::move(processors)) {}
  template <class Own>
  Placement(IntervalSet processors, Own form, Use use)
      : processors_(std::move(processors)),
        form_(std::make_shared<const Own>(std::move(form))),
        use_(use) {}

  // In whatever form; on machines of hosts: the hosts.
  [[nodiscard]] const IntervalSet& processors() const { return processors_; }
  [[nodiscard]] bool is_shared() const { return use_ == Use::kShared; }
  [[nodiscard]] std::int64_t parts() const {
    return form_ == nullptr ? processors_.count() : form_->parts(processors_);
  }
  // How many of its parts are elsewhere than in `before`; 0 where the machine does not
  // tell.  REQUIRES: that was made by the same machine, for the same job.
  [[nodiscard]] std::int64_t moved_from(const Placement& before) const {
    return form_ == nullptr ? 0 : form_->moved_from(*before.form_);
  }
  // As result files show it: processors from 0, as "0-3 8", or what the form says.
  [[nodiscard]] std::string text() const;
  void columns(FieldWriter& to) const {
    if (form_ != nullptr) form_->columns(to);
  }
  // For the machine that made it; nullptr: it has no form, or that of another machine.
  template <class Own>
  [[nodiscard]] const Own* form_if() const {
    const bool is_own = form_ != nullptr && form_->tag_ == &FormOf<Own>::kTag;
    return is_own ? static_cast<const Own*>(form_.get()) : nullptr;
  }
  [[nodiscard]] bool has_form() const { return form_ != nullptr; }
  // Whose form it has; null: none.  Compared with tag_of() of a form, and nothing else.
  [[nodiscard]] const void* form_tag() const {
    return form_ == nullptr ? nullptr : form_->tag_;
  }
  template <class Own>
  [[nodiscard]] static constexpr const void* tag_of() {
    return &FormOf<Own>::kTag;
  }

  friend bool operator==(const Placement& a, const Placement& b) {
    return a.processors_ == b.processors_ && has_equal_forms(a, b);
  }

 private:
  [[nodiscard]] static bool has_equal_forms(const Placement& a, const Placement& b);

  IntervalSet processors_;
  std::shared_ptr<const Form> form_;
  Use use_ = Use::kAlone;
};

[[nodiscard]] std::vector<std::int32_t> numbers_of(const IntervalSet& set);

// The set of these numbers, each of which may be there several times.
[[nodiscard]] IntervalSet set_of_numbers(std::vector<std::int32_t> numbers);

}  // namespace berth
