#include "engine/output/links_csv.hpp"

#include "engine/output/buffered_text.hpp"

namespace berth {

void write_links(Sink& sink, const JobLinks& links, std::span<const Job> jobs) {
  BufferedText text(sink);
  text.append("job_id,kind,parent,delay\n");
  for (const auto& link : links.all()) {
    text.print("{},{},{},{}\n", jobs[link.child].id, name(link.kind()),
               jobs[link.parent].id, InSeconds{link.delay()});
  }
  text.flush();
}

}  // namespace berth
