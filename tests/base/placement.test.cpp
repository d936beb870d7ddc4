#include "engine/base/placement.hpp"

#include <doctest/doctest.h>

#include "engine/base/field_writer.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/result.hpp"

using namespace berth;

namespace {

// Two forms with the same members.
template <int kMachine>
struct Lane final : Placement::FormOf<Lane<kMachine>> {
  Lane() = default;
  explicit Lane(std::int64_t cars) : parts_of_it(cars) {}
  [[nodiscard]] std::int64_t parts(const IntervalSet&) const override {
    return parts_of_it;
  }
  [[nodiscard]] std::int64_t moved_from(const Placement::Form& before) const override {
    return parts_of_it - static_cast<const Lane&>(before).parts_of_it;
  }
  void text(const IntervalSet& processors, std::string& to) const override {
    to += "lane of " + processors.text();
  }
  void columns(FieldWriter& to) const override { to.whole("cars", parts_of_it); }
  friend bool operator==(const Lane&, const Lane&) = default;

  std::int64_t parts_of_it = 0;
};

template <int kMachine>
Placement on(std::int64_t cars) {
  return {IntervalSet(2, 4), Lane<kMachine>(cars), Placement::Use::kShared};
}

struct Listed : FieldWriter {
  void text(std::string_view, std::string_view) override {}
  void number(std::string_view, double) override {}
  void whole(std::string_view name, std::int64_t value) override {
    all += std::string(name) + "=" + std::to_string(value);
  }
  void texts(std::string_view, std::span<const std::string_view>) override {}
  void numbers(std::string_view, std::span<const double>) override {}
  std::string all;
};

constexpr RefusalWord kClosedWord{"busy", kNoRoomWhy};

}  // namespace

TEST_SUITE("base/placement") {
  TEST_CASE("a set of processors is a placement without a form") {
    const Placement plain = IntervalSet(2, 4);
    CHECK(plain.processors() == IntervalSet(2, 4));
    CHECK(plain.parts() == 3);
    CHECK(plain.text() == "2-4");
    CHECK_FALSE(plain.is_shared());
    CHECK_FALSE(plain.has_form());
    CHECK(plain.form_if<Lane<1>>() == nullptr);
    CHECK(plain == Placement(IntervalSet(2, 4)));
    CHECK_FALSE(plain == Placement(IntervalSet(2, 5)));
    CHECK(plain.moved_from(Placement(IntervalSet(5, 7))) == 0);
    Listed listed;
    plain.columns(listed);
    CHECK(listed.all.empty());
  }

  TEST_CASE("a form tells parts, text, columns and what moved, to its machine alone") {
    const auto placement = on<1>(7);
    CHECK(placement.parts() == 7);
    CHECK(placement.text() == "lane of 2-4");
    CHECK(placement.is_shared());
    CHECK(placement.moved_from(on<1>(5)) == 2);
    Listed listed;
    placement.columns(listed);
    CHECK(listed.all == "cars=7");
    REQUIRE(placement.form_if<Lane<1>>() != nullptr);
    CHECK(placement.form_if<Lane<1>>()->parts_of_it == 7);
    CHECK(placement.form_if<Lane<2>>() == nullptr);
  }

  TEST_CASE("placements are equal if processors and forms are") {
    const auto placement = on<1>(7);
    const auto copy = placement;
    CHECK(placement == copy);
    CHECK(placement == on<1>(7));
    CHECK_FALSE(placement == on<1>(6));
    CHECK_FALSE(placement == on<2>(7));
    CHECK_FALSE(placement == Placement(IntervalSet(2, 4)));
  }

  TEST_CASE("numbers make a set, and a set its numbers") {
    CHECK(set_of_numbers({5, 1, 3, 2, 5}).text() == "1-3 5");
    CHECK(set_of_numbers({}).empty());
    CHECK(numbers_of(set_of_numbers({5, 1, 3, 2})) ==
          std::vector<std::int32_t>{1, 2, 3, 5});
  }

  TEST_CASE("refusals are equal if they are the same word, whatever it is called") {
    const Refusal closed = kClosedWord;
    CHECK(closed == Refusal(kClosedWord));
    CHECK_FALSE(closed == Refusal::kBusy);
    CHECK(name(closed) == name(Refusal::kBusy));
    const Result<int, Refusal> refused = closed;
    CHECK_FALSE(static_cast<bool>(refused));
    CHECK(refused.reason() == closed);
    CHECK(sizeof(Result<Done, Refusal>) == sizeof(void*));
  }
}
