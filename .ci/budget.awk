# awk -f .ci/budget.awk FILE... : loops that neither charge a Budget nor are marked, as
# FILE:LINE, one a line.  What counts is said in .ci/budget.cmake.

# Blocks that are open have numbers 1 .. depth.  A loop lives from its keyword to the end
# of its block or statement; loops that are open have numbers 1 .. loops.

FNR == 1 {
  depth = loops = parens = 0
  state = "code"
  marked = is_marked_line = is_marked_file = 0
  last = ""
}

{
  line = $0
  line_has_file_mark = line ~ /\/\/ Bounded in this file: +[^ ]+ +[^ ]+ +[^ ]+/
  is_marked_line = line ~ /\/\/.*Bounded: +[^ ]+ +[^ ]+ +[^ ]+/
  sub(/\/\/.*/, "", line)
  gsub(/\\./, "", line)
  gsub(/"[^"]*"/, "\"\"", line)
  gsub(/'[^']'/, "' '", line)
  gsub(/[0-9]'[0-9]/, "00", line)
  if (is_marked_line) marked = 1
  if (line_has_file_mark) is_marked_file = 1
  if (line ~ /^ *#/) next
  has_code = line !~ /^ *$/
  while (match(line, /[A-Za-z_][A-Za-z_0-9]*|[(){};]/)) {
    word = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    read_word(word)
  }
  # A mark holds for the loops that begin on its line or the next with code.
  if (has_code) marked = 0
}

function read_word(word) {
  if (word == "for" || word == "while" || word == "do") {
    begin_loop(word)
  } else if (word == "(") {
    ++parens
  } else if (word == ")") {
    --parens
    if (loops > 0 && head[loops] == "open" && parens == at_paren[loops])
      head[loops] = "read"
    return after_head()
  } else if (word == "{") {
    open_block()
  } else if (word == "}") {
    close_block()
  } else if (word == ";") {
    end_statement()
  } else if (word ~ /^charge(_each|_sort)?$/) {
    note_charge()
    if (depth > 0) charged_before[depth] = 1
  } else if (word ~ /^budget_?$/) {
    note_charge()
  }
  last = word
}

function after_head() { last = ")" }

function note_charge(  i) {
  for (i = 1; i <= loops; ++i) charges[i] = 1
}

function begin_loop(word) {
  # The end of "do { } while (...);".
  if (word == "while" && closed_do) { closed_do = 0; return }
  ++loops
  head[loops] = word == "do" ? "read" : "open"
  at_paren[loops] = parens
  at_depth[loops] = depth
  block[loops] = 0
  is_do[loops] = word == "do"
  first_line[loops] = FNR
  has_mark[loops] = marked || is_marked_file
  charges[loops] = has_inner[loops] = 0
}

function open_block() {
  ++depth
  charged_before[depth] = 0
  paren_of[depth] = parens
  parens = 0
  if (loops > 0 && head[loops] == "read" && !block[loops] &&
      at_paren[loops] == paren_of[depth] && (last == ")" || last == "do")) {
    block[loops] = depth
    charged_before[depth] = 0
  }
}

function close_block() {
  while (loops > 0 && block[loops] == 0 && at_depth[loops] >= depth) end_loop()
  closed_do = 0
  parens = paren_of[depth]
  if (loops > 0 && block[loops] == depth) {
    closed_do = is_do[loops]
    --depth
    end_loop()
    end_outer()
  } else {
    --depth
  }
}

# Loops whose one statement was the block or loop that has just ended.
function end_outer() {
  while (loops > 0 && block[loops] == 0 && head[loops] == "read" &&
         at_depth[loops] == depth && at_paren[loops] == parens) end_loop()
}

function end_statement() {
  closed_do = 0
  while (loops > 0 && block[loops] == 0 && head[loops] == "read" &&
         at_depth[loops] == depth && at_paren[loops] == parens) end_loop()
}

function end_loop(  is_right, i) {
  is_right = has_mark[loops] || charges[loops]
  if (!is_right && !has_inner[loops]) {
    for (i = at_depth[loops]; i > 0; --i) is_right = is_right || charged_before[i]
  }
  if (!is_right) print FILENAME ":" first_line[loops]
  if (loops > 1 && !has_mark[loops]) has_inner[loops - 1] = 1
  --loops
}
