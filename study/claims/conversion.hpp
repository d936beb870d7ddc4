#pragma once
// A claims.toml of earlier versions as the claims.lua that says the same.

#include <string>
#include <string_view>

namespace berth::study {

// A row of Lua for each row of TOML.  Verdicts that were expected are left out, since
// their words have changed; so is a band around `published` of the usual size.  `name`
// is what messages call the text.  Throws Error{kInput} for what is no claims.toml.
[[nodiscard]] std::string converted_claims(const std::string& name,
                                           std::string_view text);

}  // namespace berth::study
