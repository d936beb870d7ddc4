-- A policy sees no global of ours: everything hangs on its two arguments.  What the
-- sandbox withholds is unknown here too.
local function fields(names)
  local known = {}
  for _, name in ipairs(names) do known[name] = {} end
  return { fields = known }
end

std = {
  globals = {},
  read_globals = {
    "assert", "error", "ipairs", "next", "pairs", "pcall", "print", "rawequal", "rawget",
    "rawlen", "rawset", "require", "select", "setmetatable", "getmetatable", "tonumber",
    "tostring", "type", "xpcall",
    math = fields {
      "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod",
      "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad",
      "random", "sin", "sqrt", "tan", "tointeger", "type", "ult"
    },
    string = fields {
      "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match",
      "rep", "reverse", "sub", "upper"
    },
    table = fields {
      "concat", "insert", "pack", "remove", "sort", "unpack"
    },
  },
}
max_line_length = 100
cache = false
exclude_files = { "build/**", ".cache/**", "docs/meta/**",
                  "tests/fuzz/**" }  -- lines to splice, no whole scripts
files["tests"] = { max_line_length = 120 }  -- tables of cases
-- Tools are given `tool`, `stats` and `out`; they give the others to files of claims.
files["tools"] = { globals = { "tool", "paper", "claim", "figure", "metric" }, read_globals = { "stats", "out" } }
files["tools/tests"] = { max_line_length = 120 }
files["scenarios/papers/gpu-sharing"] = { read_globals = { "metric" } }  -- metrics of its scenarios
for _, folder in ipairs { "bandwidth", "gpu-sharing", "k-resource", "two-tier", "user-aware", "virtual-clusters" } do
  files["scenarios/papers/" .. folder .. "/claims.lua"] = {
    read_globals = { "paper", "claim", "figure", "metric" }, max_line_length = 240 }
end
files["scenarios/papers/bandwidth"] = { read_globals = { "metric" } }  -- metrics of its own
