#include <memory>

#include "cli/log_options.hpp"
#include "study/inputs/trace_report.hpp"
#include "study/logs/log_writer.hpp"

namespace berth::cli {

namespace {

struct TraceOptions {
  std::string file;
  std::string processors;
  std::string list;
  LogReadingOptions reading;
  bool json = false;
};

int show(const TraceOptions& options, Console& console) {
  if (options.file.empty()) wrong_usage("name a trace: berth trace FILE.swf.gz");
  if (const auto shown = show_guess(options.file, options.reading, console))
    return *shown;
  auto reading = options.reading;
  reading.keeps_lines = !options.list.empty();
  LaterFile repairs(reading.repairs);
  Budget budget;
  const auto workload = read(options.file, reading, budget).workload;
  repairs.write(console,
                [&](Sink& sink) { sink.write(study::repairs_text(workload)); });
  repairs.commit();
  auto processors = workload.processors.value_or(0);
  if (!options.processors.empty()) {
    processors = static_cast<std::int32_t>(
        whole_option("--processors", options.processors, 1,
                     std::numeric_limits<std::int32_t>::max()));
  }
  if (options.json) {
    if (!options.list.empty()) wrong_usage("--json and --list: use one");
    console.out << study::trace_json(workload, processors, budget).file_text();
    return 0;
  }
  console.out << (options.list.empty()
                      ? study::trace_report(workload, processors, budget)
                      : study::class_listing(workload, options.list, processors,
                                             budget));
  return 0;
}

}  // namespace

Action declare_trace(Syntax& syntax) {
  auto options = std::make_shared<TraceOptions>();
  syntax.option(
      "FILE", options->file,
      "a log: SWF, sacct -P and others (--format); plain or gzip; - reads stdin");
  syntax.option("--processors", options->processors,
                "size of the machine, instead of what the trace says");
  syntax.option("--list", options->list,
                "every line of one class, such as no_processor_count");
  declare_log_reading(syntax, "--format", options->reading);
  syntax.flag("--json", options->json, "the same as JSON");
  syntax.footer("Example:\n  berth trace KTH-SP2-1996-2.1-cln.swf.gz");
  return [options](Console& console) { return show(*options, console); };
}

}  // namespace berth::cli
