--- Finds the edits that lead from one text to another: few, short, and never inside a character.
---
--- Strips what both texts have in common at the start and the end, compares the rest by lines,
--- differing lines by words, and differing words by characters. Where two texts differ too much for
--- that, the whole region becomes one edit.

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

--- The edits that lead from `old` to `new`; `{}` if they are equal.
function M.diff(old, new)
  local whole = trimmed(old, new, 0)
  if not whole then
    return {}
  end
  local middle = old:sub(whole.start + 1, whole.stop)
  if middle == '' or whole.text == '' then
    return { whole }
  end
  local edits = {}
  local function add(a, b, offset)
    edits[#edits + 1] = trimmed(a, b, offset)
  end
  local function by_characters(a, b, offset)
    if a == '' or b == '' then
      add(a, b, offset)
    else
      regions(characters_of(a), characters_of(b), offset, add)
    end
  end
  local function by_words(a, b, offset)
    if a == '' or b == '' then
      add(a, b, offset)
      return
    end
    regions(words_of(a), words_of(b), offset, by_characters)
  end
  regions(lines_of(middle), lines_of(whole.text), whole.start, by_words)
  return edits
end

--- The same edits of `text` in smaller pieces: a text that an edit deletes and inserts again stays,
--- and so does a cursor on it. The daemon may combine adjacent changes into one edit.
function M.refined(text, edits)
  local list = {}
  for _, edit in ipairs(edits) do
    for _, piece in ipairs(M.diff(text:sub(edit.start + 1, edit.stop), edit.text)) do
      list[#list + 1] = { start = edit.start + piece.start, stop = edit.start + piece.stop, text = piece.text }
    end
  end
  return list
end

return M
