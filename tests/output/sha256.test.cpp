#include "engine/output/sha256.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"

namespace berth {

TEST_SUITE("output/sha256") {
  TEST_CASE("it gives the checksums of the standard") {
    CHECK(sha256("") ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  }

  TEST_CASE("pieces give the checksum of the whole, and a digest begins anew") {
    Sha256 hash;
    hash.write("a");
    hash.write("bc");
    CHECK(hash.digest() == sha256("abc"));
    CHECK(hash.digest() == sha256(""));
  }

  TEST_CASE("a hashed sink passes on what it is given") {
    StringSink target;
    HashedSink hashed(target);
    hashed.write("ab");
    hashed.write("c");
    CHECK(target.text() == "abc");
    CHECK(hashed.digest() == sha256("abc"));
  }

  TEST_CASE("a file that is not there is an input error") {
    try {
      (void)sha256_of_file("/nonexistent/file");
      FAIL("nothing was thrown");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInput);
      CHECK(std::string(error.what()) ==
            "/nonexistent/file: cannot read: No such file or directory");
    }
  }
}

}  // namespace berth
