#pragma once
// A file at a path that the user named.
//
// It is replaced only where the user says so.  That is looked at twice: before the work
// is done, and when the file takes its name, so that nothing that appears meanwhile is
// lost.  A device or a pipe is written to, never replaced.
//
// Errors       Error{kUsage}  there is such a file already, and it may not be replaced
//              Error{kOutput} as of AtomicFile

#include <filesystem>
#include <memory>

#include "engine/output/atomic_file.hpp"

namespace berth {

class OutputFile final : public Sink {
 public:
  // Looks whether the path may be written; makes nothing.
  OutputFile(std::filesystem::path target, Existing existing);

  // The first call makes the file, under a hidden name.  REQUIRES: not committed.
  void write(std::string_view text) override;

  // The file, empty if nothing was written, takes its name.  REQUIRES: not committed.
  void commit();

 private:
  AtomicFile& file();

  std::filesystem::path target_;
  Existing existing_;
  std::unique_ptr<AtomicFile> file_;
};

// A folder that the user named for files; made if it is not there.  Throws
// Error{kOutput}.
void make_output_folder(const std::filesystem::path& folder);

}  // namespace berth
