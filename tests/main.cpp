// The runner, with one line at the end that ./test adds up:
// "tally: 12 passed, 0 failed, 1 skipped".
//
// A test case that says "skipped: ..." and does not fail counts as skipped.

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <ostream>
#include <string_view>

namespace berth::test {

namespace {

class Tally : public doctest::IReporter {
 public:
  explicit Tally(const doctest::ContextOptions& options) : out_(*options.cout) {}

  void test_case_start(const doctest::TestCaseData&) override { says_skipped_ = false; }
  void log_message(const doctest::MessageData& message) override {
    const std::string_view text(message.m_string.c_str());
    says_skipped_ = says_skipped_ || text.rfind("skipped: ", 0) == 0;
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (!stats.testCaseSuccess) {
      ++failed_;
    } else if (says_skipped_) {
      ++skipped_;
    } else {
      ++passed_;
    }
  }
  void test_run_end(const doctest::TestRunStats&) override {
    out_ << "tally: " << passed_ << " passed, " << failed_ << " failed, " << skipped_
         << " skipped\n";
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::ostream& out_;
  bool says_skipped_ = false;
  int passed_ = 0;
  int failed_ = 0;
  int skipped_ = 0;
};

DOCTEST_REGISTER_LISTENER("tally", 1, Tally);

}  // namespace

}  // namespace berth::test
