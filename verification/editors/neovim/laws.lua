-- The laws of the parts that need no daemon, on random texts.
-- `verification/editors/neovim/run-laws` runs them; SEED and ROUNDS come from the environment. The
-- last line is `laws: N checks passed, M failed`.

local api = vim.api
local layout = require('notesd.layout')
local typed = require('notesd.typed')
local utf8 = require('notesd.utf8')

local seed = tonumber(os.getenv('SEED')) or os.time()
local rounds = tonumber(os.getenv('ROUNDS')) or 3000
math.randomseed(seed)

local passed, failed = 0, 0

local function check(name, holds, ...)
  if holds then
    passed = passed + 1
    return
  end
  failed = failed + 1
  if failed <= 5 then
    io.stdout:write(('FAILED %s, seed %d: %s\n'):format(name, seed, vim.inspect({ ... })))
  end
end

local pieces = { 'a', 'a', 'b', 'c', ' ', 'foo', 'bar ', '\n', '\n', '\r\n', '\r', 'é', 'ö\n', '日', '👍', 'e\204\129' }

local function random_text(most)
  local parts = {}
  for index = 1, math.random(0, most) do
    parts[index] = pieces[math.random(#pieces)]
  end
  return table.concat(parts)
end

--- The offsets at which an edit of the text may start or end.
local function boundaries(text)
  local list = {}
  for offset = 0, #text do
    local byte = text:byte(offset + 1)
    if not byte or byte < 0x80 or byte >= 0xC0 then
      list[#list + 1] = offset
    end
  end
  return list
end

--- Random edits that do not overlap, as offsets.
local function random_edits(text)
  local places, list, at = boundaries(text), {}, 1
  while at <= #places and #list < 3 do
    local first = math.random(at, #places)
    local last = math.min(#places, first + math.random(0, 3))
    list[#list + 1] = { places[first], places[last], random_text(3) }
    at = last + math.random(1, 3)
  end
  return list
end

--- Applies edits with offsets the obvious way.
local function naive(text, list)
  for index = #list, 1, -1 do
    local from, to, new = unpack(list[index])
    text = text:sub(1, from) .. new .. text:sub(to + 1)
  end
  return text
end

--- The edits with places, as the host sends them.
local function placed(text, list)
  local lines = layout.split(text)
  return vim.tbl_map(function(edit)
    return { layout.place(lines, edit[1]), layout.place(lines, edit[2]), edit[3] }
  end, list)
end

local function shape_of(text)
  return layout.shown(layout.split(text))
end

local handle = api.nvim_create_buf(false, true)

--- A buffer has the text, and the bytes counted are its bytes, after edits.
local function law_plan()
  local text = random_text(14)
  local list = random_edits(text)
  local edits, new = placed(text, list), naive(text, list)
  local lines, eol = shape_of(text)
  check('layout_showsEveryText', table.concat(layout.text(lines, eol), '\n') == text, text)
  check('applied_isTheText', table.concat(layout.applied(layout.text(lines, eol), edits), '\n') == new, text, edits, new)
  local bytes = #text
  for _, edit in ipairs(edits) do
    bytes = bytes + #edit[3] - layout.between(layout.text(lines, eol), edit[1], edit[2])
  end
  check('bytes_areCounted', bytes == #new, text, edits, bytes, #new)
  api.nvim_buf_set_lines(handle, 0, -1, false, lines)
  local changes, new_eol = layout.plan(vim.list_extend({}, lines), eol, edits)
  local copy = vim.list_extend({}, lines)
  for _, change in ipairs(changes) do
    api.nvim_buf_set_text(handle, unpack(change))
    copy = layout.changed(copy, change)
  end
  local found = api.nvim_buf_get_lines(handle, 0, -1, false)
  check('plan_makesTheText', table.concat(layout.text(found, new_eol), '\n') == new, text, edits, new, found, new_eol)
  check('copy_isTheBuffer', vim.deep_equal(copy, found), text, edits, copy, found)
end

--- Edits that are found lead from the old text to the new one, and cut no character.
local function law_typed()
  local old = layout.split(random_text(14))
  local from = math.random(0, #old)
  local to = math.random(from, #old)
  local new = math.random(4) == 1 and {} or layout.split(random_text(6))
  if to - from == #old and #new == 0 then
    new = { '' }
  end
  local caret = math.random(2) == 1 and { math.random(0, #old), math.random(0, 5) } or nil
  local edits = typed.replaced(function(index)
    return old[index + 1]
  end, #old, from, to, vim.list_extend({}, new), caret)
  local wanted = vim.list_extend(vim.list_slice(old, 1, from), new)
  vim.list_extend(wanted, vim.list_slice(old, to + 1, #old))
  local found = layout.applied(vim.list_extend({}, old), edits)
  check('typed_isTheChange', vim.deep_equal(found, wanted), old, from, to, new, edits, found)
  local last = { 0, 0 }
  for _, edit in ipairs(edits) do
    local ordered = edit[1][1] > last[1] or (edit[1][1] == last[1] and edit[1][2] >= last[2])
    check('typed_isInOrder', ordered, old, new, edits)
    check('typed_cutsNoCharacter', utf8.first_bad(edit[3]) == nil, old, new, edits)
    last = edit[2]
  end
end

--- Bytes that are not UTF-8 are found where they are.
local function law_utf8()
  local good, rest = random_text(6), random_text(3)
  check('utf8_isGood', utf8.first_bad(good .. rest) == nil, good .. rest)
  local bad = ({ '\255', '\192\175', '\237\160\128', '\244\144\128\128', '\226\130', '\0' })[math.random(6)]
  check('utf8_isBad', utf8.first_bad(good .. bad .. 'x' .. rest) == #good, good, bad)
end

for _ = 1, rounds do
  law_plan()
  law_typed()
  law_utf8()
end
io.stdout:write(('laws: %d checks passed, %d failed (seed %d)\n'):format(passed, failed, seed))
os.exit(failed == 0 and 0 or 1)
