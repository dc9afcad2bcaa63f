--- Finds the edits that lead from one text to another, and never cut a character.
---
--- `diff` states what a user did, so that it merges well with what others do at the same moment. It
--- compares whole lines first: inserted and deleted lines are edits from line start to line start.
--- Only a line that became one similar line is compared by words. `refined` reduces an edit as far as
--- it can, across lines too, so that cursors stay on their text.

local M = {}

--- Maximum edit distance of two sequences; beyond it they become one region. Time and memory grow
--- with its square.
local distance_max = 200
local chunk_bytes = 4096

--- Number of bytes that two texts have in common at their start.
local function common_prefix(a, b)
  local most = math.min(#a, #b)
  local count = 0
  while count < most do
    local stop = math.min(count + chunk_bytes, most)
    if a:sub(count + 1, stop) ~= b:sub(count + 1, stop) then
      while a:byte(count + 1) == b:byte(count + 1) do
        count = count + 1
      end
      return count
    end
    count = stop
  end
  return count
end

--- Number of bytes, at most `most`, that two texts have in common at their end.
local function common_suffix(a, b, most)
  local count = 0
  while count < most do
    local size = math.min(chunk_bytes, most - count)
    if a:sub(#a - count - size + 1, #a - count) ~= b:sub(#b - count - size + 1, #b - count) then
      while count < most and a:byte(#a - count) == b:byte(#b - count) do
        count = count + 1
      end
      return count
    end
    count = count + size
  end
  return count
end

local function continues(byte)
  return byte ~= nil and byte >= 0x80 and byte < 0xC0
end

--- The shortest edit of whole characters from `a`, which begins at `offset`, to `b`; nil if they
--- are equal.
local function trimmed(a, b, offset)
  if a == b then
    return nil
  end
  local prefix = common_prefix(a, b)
  while prefix > 0 and (continues(a:byte(prefix + 1)) or continues(b:byte(prefix + 1))) do
    prefix = prefix - 1
  end
  local suffix = common_suffix(a, b, math.min(#a, #b) - prefix)
  while suffix > 0 and continues(a:byte(#a - suffix + 1)) do
    suffix = suffix - 1
  end
  return { start = offset + prefix, stop = offset + #a - suffix, text = b:sub(prefix + 1, #b - suffix) }
end

local function lines_of(text)
  local list = {}
  for line in text:gmatch('[^\n]*\n?') do
    if line ~= '' then
      list[#list + 1] = line
    end
  end
  return list
end

--- Words, and single bytes for everything else. Characters beyond ASCII count as letters, so none
--- is split.
local function words_of(text)
  local list, at = {}, 1
  while at <= #text do
    local _, stop = text:find('^[%w_\128-\255]+', at)
    stop = stop or at
    list[#list + 1] = text:sub(at, stop)
    at = stop + 1
  end
  return list
end

--- The characters of a text.
local function characters_of(text)
  local list = {}
  for character in text:gmatch('[%z\1-\127\192-\255][\128-\191]*') do
    list[#list + 1] = character
  end
  -- A buffer may contain invalid UTF-8; such a text stays one item.
  return table.concat(list) == text and list or { text }
end

--- Walks the trace of `common` backwards: pairs of equal items, as `{i, j}`, the last one first.
local function matches(trace, a, b)
  local pairs_found, x, y = {}, #a, #b
  for d = #trace, 0, -1 do
    local v = trace[d]
    local k = x - y
    local down = k == -d or (k ~= d and v[k - 1] < v[k + 1])
    local from = down and k + 1 or k - 1
    local from_x = d == 0 and 0 or v[from]
    local from_y = d == 0 and 0 or from_x - from
    while x > from_x and y > from_y and a[x] == b[y] do
      pairs_found[#pairs_found + 1] = { x, y }
      x, y = x - 1, y - 1
    end
    x, y = from_x, from_y
  end
  return pairs_found
end

--- The greedy algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
--- Returns nil if `a` and `b` are more than `distance_max` apart.
local function common(a, b)
  local v, trace = { [1] = 0 }, {}
  for d = 0, math.min(#a + #b, distance_max) do
    local copy = {}
    for k = -d - 1, d + 1 do
      copy[k] = v[k] or -1
    end
    trace[d] = copy
    for k = -d, d, 2 do
      local down = k == -d or (k ~= d and (v[k - 1] or -1) < (v[k + 1] or -1))
      local x = down and v[k + 1] or v[k - 1] + 1
      local y = x - k
      while x < #a and y < #b and a[x + 1] == b[y + 1] do
        x, y = x + 1, y + 1
      end
      v[k] = x
      if x >= #a and y >= #b then
        return matches(trace, a, b)
      end
    end
  end
  return nil
end

-- The LuaJIT of Debian 12 miscompiled `common` once in some twenty million runs: a number was nil,
-- and the same texts did not reproduce it. The interpreter needs a few milliseconds for the longest
-- texts.
if jit then
  jit.off(common)
  jit.off(matches)
end

--- Calls `each(old, new, offset)`, in order, for every region in which the sequences `a` and `b`
--- differ. `offset` is the offset of `a[1]`.
local function regions(a, b, offset, each)
  local found = common(a, b)
  if not found then
    each(table.concat(a), table.concat(b), offset)
    return
  end
  table.insert(found, 1, { #a + 1, #b + 1 })
  local i, j = 1, 1
  for index = #found, 1, -1 do
    local to_i, to_j = found[index][1], found[index][2]
    local old = table.concat(a, '', i, to_i - 1)
    if to_i > i or to_j > j then
      each(old, table.concat(b, '', j, to_j - 1), offset)
    end
    offset = offset + #old + #(a[to_i] or '')
    i, j = to_i + 1, to_j + 1
  end
end

--- The offset of the start of the line that contains `offset`.
function M.line_start(text, offset)
  while offset > 0 and text:byte(offset) ~= 10 do
    offset = offset - 1
  end
  return offset
end

--- How well the bytes from `start` up to but not including `stop` of a text look like what a user
--- inserts or deletes at once: 2 for whole lines, 1 if no word is cut, otherwise 0.
local function fitness(text, start, stop)
  if (start == 0 or text:byte(start) == 10) and text:byte(stop) == 10 then
    return 2
  end
  local function cuts_word(at)
    return text:find('^[%w_\128-\255][%w_\128-\255]', at) ~= nil
  end
  return (start > 0 and cuts_word(start) or cuts_word(stop)) and 0 or 1
end

--- The start of the fittest among all ranges of `text` whose removal gives the same text as the
--- removal of the bytes from `start` up to but not including `stop`. The last one, if several are.
local function slid(text, start, stop)
  local best, best_fitness = start, fitness(text, start, stop)
  while start > 0 and text:byte(start) == text:byte(stop) and best_fitness < 2 do
    start, stop = start - 1, stop - 1
    local is_cut = continues(text:byte(start + 1)) or continues(text:byte(stop + 1))
    local found = is_cut and 0 or fitness(text, start, stop)
    if found > best_fitness then
      best, best_fitness = start, found
    end
  end
  return best
end

--- Adds the insertion or deletion of the bytes from `start` up to but not including `stop` of `text`
--- to `list`; `make(from, to, at)` makes an edit of some of them. Bytes that end a line and continue
--- with further lines become two edits: the end of the line, and whole lines.
local function add_range(list, text, start, stop, make)
  local from = slid(text, start, stop)
  local to = from + stop - start
  local feed = text:find('\n', from + 1, true)
  local line_end = text:match('^\r?\n', to + 1)
  local head = feed and line_end and feed - #line_end
  if fitness(text, from, to) == 2 or not head or feed > to or head <= from or text:sub(head + 1, feed) ~= line_end then
    list[#list + 1] = make(from, to, from)
  else
    list[#list + 1] = make(from, head, from)
    list[#list + 1] = make(feed, to + #line_end, from + #line_end)
  end
end

--- The edits that lead from `old`, which begins at `offset`, to `new`, if these are only an insertion
--- or only a deletion; otherwise nil.
local function one_range(old, new, offset)
  local edit = trimmed(old, new, 0)
  local list = {}
  if edit.stop == edit.start then
    add_range(list, new, edit.start, edit.start + #edit.text, function(from, to, at)
      return { start = offset + at, stop = offset + at, text = new:sub(from + 1, to) }
    end)
  elseif edit.text == '' then
    add_range(list, old, edit.start, edit.stop, function(from, to)
      return { start = offset + from, stop = offset + to, text = '' }
    end)
  else
    return nil
  end
  return list
end

--- The edits from `old` to `new` by words, and by characters where words differ. `is_kept(edits)`, if
--- given, states whether the edits of one place are used or the place becomes one edit.
local function by_words(old, new, offset, is_kept)
  local list = {}
  local function add(to)
    return function(a, b, at)
      to[#to + 1] = trimmed(a, b, at)
    end
  end
  regions(words_of(old), words_of(new), offset, function(a, b, at)
    local found = {}
    if a ~= '' and b ~= '' then
      regions(characters_of(a), characters_of(b), at, add(found))
    end
    if #found > 0 and (not is_kept or is_kept(found)) then
      vim.list_extend(list, found)
    else
      add(list)(a, b, at)
    end
  end)
  return list
end

--- Whether all edits insert, or all delete.
local function is_one_way(list)
  local inserts, deletes = false, false
  for _, edit in ipairs(list) do
    inserts, deletes = inserts or edit.text ~= '', deletes or edit.stop > edit.start
  end
  return not (inserts and deletes)
end

--- Whether one line may have become the other: they share half of the words of the shorter one, and
--- a third of those of the longer one.
local function are_alike(one, other)
  local counts, left, right, shared = {}, 0, 0, 0
  for word in one:gmatch('[%w_\128-\255]+') do
    counts[word], left = (counts[word] or 0) + 1, left + 1
  end
  for word in other:gmatch('[%w_\128-\255]+') do
    right = right + 1
    if (counts[word] or 0) > 0 then
      counts[word], shared = counts[word] - 1, shared + 1
    end
  end
  return 2 * shared >= math.min(left, right) and 3 * shared >= math.max(left, right)
end

local function set_of(list)
  local set = {}
  for _, item in ipairs(list) do
    set[item] = true
  end
  return set
end

--- Whether each of the lines `a` became the line of `b` with its number. A line that `moved(line,
--- other)` names is a line from elsewhere.
local function are_changed_in_place(a, b, moved)
  if #a ~= #b then
    return false
  end
  for index, line in ipairs(a) do
    if line ~= b[index] and (moved(line, b[index]) or not are_alike(line, b[index])) then
      return false
    end
  end
  return true
end

local function without_spaces(text)
  return (text:gsub('%s+', ''))
end

--- Whether lines, more than one on a side, were replaced by others of which some are from elsewhere, or
--- went there. Such lines were deleted and inserted, even if joining or splitting lines gives the same
--- text.
local function have_moved(a, b, moved)
  if #a == 0 or #b == 0 or #a + #b == 2 then
    return false
  end
  for index = 1, math.max(#a, #b) do
    if moved(a[index], b[index]) then
      return true
    end
  end
  return false
end

--- Adds the edits of a place at which lines were replaced by other lines. A line that `moved(line,
--- other)` names is a line from elsewhere.
local function add_lines(list, old, new, offset, moved)
  local a, b = lines_of(old), lines_of(new)
  local is_moved = have_moved(a, b, moved)
  local range = not is_moved and one_range(old, new, offset)
  if range then
    vim.list_extend(list, range)
  elseif are_changed_in_place(a, b, moved) then
    for index, line in ipairs(a) do
      if line ~= b[index] then
        vim.list_extend(list, one_range(line, b[index], offset) or by_words(line, b[index], offset, is_one_way))
      end
      offset = offset + #line
    end
  elseif not is_moved and without_spaces(old) == without_spaces(new) then
    -- Lines were joined, split or filled.
    vim.list_extend(list, by_words(old, new, offset))
  elseif #a == 1 and #b == 1 and not moved(old, new) then
    list[#list + 1] = trimmed(old, new, offset)
  else
    list[#list + 1] = { start = offset, stop = offset + #old, text = new }
  end
end

--- The edits that lead from `old` to `new`; `{}` if they are equal.
function M.diff(old, new)
  if old == new then
    return {}
  end
  local start = M.line_start(old, common_prefix(old, new))
  local kept = common_suffix(old, new, math.min(#old, #new) - start)
  local function is_line_start(text, offset)
    return offset == start or text:byte(offset) == 10
  end
  while kept > 0 and not (is_line_start(old, #old - kept) and is_line_start(new, #new - kept)) do
    kept = kept - 1
  end
  local a, b = lines_of(old:sub(start + 1, #old - kept)), lines_of(new:sub(start + 1, #new - kept))
  local had, has = set_of(a), set_of(b)
  local function moved(line, other)
    return has[line] or had[other]
  end
  local list = {}
  regions(a, b, start, function(x, y, offset)
    add_lines(list, x, y, offset, moved)
  end)
  return list
end

--- The smallest edits that lead from `old` to `new`, compared by lines, words and characters.
local function smallest(old, new)
  local whole = trimmed(old, new, 0)
  if not whole then
    return {}
  end
  local middle = old:sub(whole.start + 1, whole.stop)
  if middle == '' or whole.text == '' then
    return { whole }
  end
  local list = {}
  regions(lines_of(middle), lines_of(whole.text), whole.start, function(a, b, at)
    vim.list_extend(list, by_words(a, b, at))
  end)
  return list
end

--- The same edits of `text` in smaller pieces: a text that an edit deletes and inserts again stays,
--- and so does a cursor on it. The daemon may combine adjacent changes into one edit.
function M.refined(text, edits)
  local list = {}
  for _, edit in ipairs(edits) do
    for _, piece in ipairs(smallest(text:sub(edit.start + 1, edit.stop), edit.text)) do
      list[#list + 1] = { start = edit.start + piece.start, stop = edit.start + piece.stop, text = piece.text }
    end
  end
  return list
end

return M
