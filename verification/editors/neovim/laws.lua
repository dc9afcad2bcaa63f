-- The laws of the parts that need no editor, on random texts.
-- `verification/editors/neovim/run-laws` runs them; SEED and ROUNDS come from the environment. The
-- last line is `laws: N checks passed, M failed`.

local edits = require('notesd.edits')
local diff = require('notesd.diff')
local layout = require('notesd.layout')
local Undo = require('notesd.undo')

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

local pieces = { 'a', 'b', 'c', ' ', 'foo', 'bar ', '\n', '\n', '\r\n', '\r', 'é', 'ö\n', '日', '👍', 'e\204\129' }

local function random_text(most, from)
  local parts = {}
  for index = 1, math.random(0, most) do
    parts[index] = (from or pieces)[math.random(#(from or pieces))]
  end
  return table.concat(parts)
end

--- Lines of which most end with CR LF.
local function random_dos()
  local text = random_text(12, { 'a', 'b', 'é', ' ', '\n', '\n' }):gsub('\n', '\r\n')
  return text
end

local function random_document()
  return math.random(3) == 1 and random_dos() or random_text(14)
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

local function random_edits(text, from)
  local places, list, at = boundaries(text), {}, 1
  for _ = 1, math.random(0, 3) do
    if at > #places then
      break
    end
    local first = math.random(at, #places)
    local last = math.random(3) == 1 and first or math.random(first, math.min(#places, first + 4))
    list[#list + 1] = { start = places[first], stop = places[last], text = random_text(2, from) }
    at = last + math.random(0, 1)
  end
  return list
end

--- Applies one edit after the other to a plain string, from the last one to the first.
local function naive_apply(text, list)
  for index = #list, 1, -1 do
    local edit = list[index]
    text = text:sub(1, edit.start) .. edit.text .. text:sub(edit.stop + 1)
  end
  return text
end

local function law_edits()
  local text = random_document()
  local a, b = random_edits(text), random_edits(text)
  check('apply_isTheNaiveOne', edits.apply(text, a) == naive_apply(text, a), text, a)
  check('joined_doesTheSame', edits.apply(text, edits.joined(a)) == edits.apply(text, a), text, a)
  check('invert_leadsBack', edits.apply(edits.apply(text, a), edits.invert(text, a)) == text, text, a)
  local left = edits.apply(edits.apply(text, b), edits.transform(a, b, true))
  local right = edits.apply(edits.apply(text, a), edits.transform(b, a, false))
  check('transform_bothWaysMeet', left == right, text, a, b, left, right)
  local after_a = edits.apply(text, a)
  local c = random_edits(after_a)
  check('compose_doesBoth', edits.apply(text, edits.compose(a, c)) == edits.apply(after_a, c), text, a, c)
  local wire = edits.to_wire(a)
  check('wire_isReadAsWritten', vim.deep_equal(edits.from_wire(wire, text), a), text, a)
end

--- Checks that a transform keeps the text that both insert and the text that neither removes.
local function law_nothing_lost()
  local text = random_text(14, { 'a', 'b', '\n' })
  local a, b = random_edits(text, { 'X' }), random_edits(text, { 'Y' })
  local both = edits.apply(edits.apply(text, b), edits.transform(a, b, math.random(2) == 1))
  local function count(list)
    local total = 0
    for _, edit in ipairs(list) do
      total = total + #edit.text
    end
    return total
  end
  check('transform_keepsWhatBothInsert', select(2, both:gsub('X', '')) == count(a) and select(2, both:gsub('Y', '')) == count(b), a, b)
  local dropped = {}
  for _, list in ipairs({ a, b }) do
    for _, edit in ipairs(list) do
      for offset = edit.start, edit.stop - 1 do
        dropped[offset] = true
      end
    end
  end
  check('transform_dropsNothingElse', #both == #text - vim.tbl_count(dropped) + count(a) + count(b), text, a, b)
end

local function law_position()
  local text = random_text(14, { 'a', 'b', 'c', '\n' })
  local list = random_edits(text, { 'X', 'YZ' })
  local after = edits.apply(text, list)
  for offset = 0, #text - 1 do
    local is_dropped = false
    for _, edit in ipairs(list) do
      is_dropped = is_dropped or (edit.start <= offset and offset < edit.stop)
    end
    local place = edits.position(offset, list)
    check('position_isInTheText', place >= 0 and place <= #after, text, list, offset)
    if not is_dropped then
      check('position_staysOnItsCharacter', after:byte(place + 1) == text:byte(offset + 1), text, list, offset)
    end
  end
end

local function law_diff()
  local old = random_document()
  local new = math.random(3) == 1 and random_document() or edits.apply(old, random_edits(old))
  local found = diff.diff(old, new)
  check('diff_leadsFromOneToTheOther', edits.apply(old, found) == new, old, new, found)
  check('diff_cutsNoCharacter', edits.from_wire(edits.to_wire(found), old) ~= nil, old, new, found)
  local coarse = { { start = 0, stop = #old, text = new } }
  check('refined_doesTheSame', edits.apply(old, diff.refined(old, coarse)) == new, old, new)
  check('diff_ofEqualTextsIsEmpty', #diff.diff(old, old) == 0)
  for _, edit in ipairs(found) do
    check('diff_hasNoEmptyEdit', edit.stop > edit.start or edit.text ~= '', old, new, found)
  end
end

--- Whether an offset is the start of a line, or the end of a text that ends with a line end.
local function is_line_start(text, offset)
  return offset == 0 or text:byte(offset) == 10
end

--- Checks that inserted, deleted and moved lines are edits of whole lines, whatever the lines have in
--- common. Each new line begins with a letter that no old line contains: otherwise a new line may be
--- what joining or splitting old lines gives, and the texts do not tell which of the two happened.
local function law_diff_of_lines()
  local lines = {}
  for index = 1, math.random(1, 8) do
    lines[index] = random_text(3, { 'call ', 'Anna ', 'A', 'on', '1' }) .. '\n'
  end
  local old = table.concat(lines)
  for _ = 1, math.random(1, 3) do
    local line = math.random(2) == 1 and #lines > 0 and table.remove(lines, math.random(#lines))
      or random_text(2, { 'call ', 'A', '1' }):gsub('^', 'B') .. '\n'
    if math.random(3) > 1 then
      table.insert(lines, math.random(#lines + 1), line)
    end
  end
  local new = table.concat(lines)
  local found = diff.diff(old, new)
  check('diff_ofLinesLeadsThere', edits.apply(old, found) == new, old, new, found)
  for _, edit in ipairs(found) do
    local is_whole = is_line_start(old, edit.start) and is_line_start(old, edit.stop) and (edit.text == '' or edit.text:sub(-1) == '\n')
    -- Lines and the start of the line after them, inserted or deleted at once.
    local is_before = is_line_start(old, edit.start) and (edit.text == '' or edit.stop == edit.start)
    local is_inside = not old:sub(edit.start + 1, edit.stop):find('\n') and not edit.text:find('\n')
    check('diff_ofLinesIsWholeLinesOrWithinOne', is_whole or is_before or is_inside, old, new, found)
  end
end

--- Checks single changes whose place the texts alone do not determine.
local function law_places()
  local function is(old, new, start, stop, text)
    local found = diff.diff(old, new)
    check('diff_isWhatAUserDoes', #found == 1 and vim.deep_equal(found[1], { start = start, stop = stop, text = text }), old, new, found)
  end
  is('top\nfar away\n', 'top\nfoo far away\n', 4, 4, 'foo ')
  is('milk\nbread\n', 'milk\nbig bread\nbread\n', 5, 5, 'big bread\n')
  is('id A18364A\n', 'id B21335B\n', 3, 10, 'B21335B')
  is('ab\n', 'axb\n', 1, 1, 'x')
  local split = diff.diff('milk\neggs\n', 'milk!\ntea\neggs\n')
  local moved = diff.diff('tea\nmilk\nplan \nworks\n', 'works\ntea\nmilk\nplan s\n')
  check('diff_isWhatAUserDoes', vim.deep_equal(moved, {
    { start = 0, stop = 0, text = 'works\n' },
    { start = 9, stop = 21, text = 'plan s\n' },
  }), moved)
  check('diff_isWhatAUserDoes', vim.deep_equal(split, { { start = 4, stop = 4, text = '!' }, { start = 5, stop = 5, text = 'tea\n' } }), split)
end

local function law_layout()
  local text = random_document()
  local lines, shape = layout.decode(text)
  check('layout_keepsEveryByte', layout.encode(lines, shape) == text, text, lines, shape)
  local list = random_edits(text, math.random(2) == 1 and { 'x', '\r\n', '\n', '' } or nil)
  local after = edits.apply(text, list)
  local changes, new_shape = layout.plan(lines, shape, text, list, after)
  local changed = vim.list_extend({}, lines)
  for _, change in ipairs(changes) do
    changed = layout.changed(changed, change)
  end
  check('plan_leadsToTheText', layout.encode(changed, new_shape) == after, text, list, after, changes, changed, new_shape)
  local row = math.random(0, #lines - 1)
  local offset = layout.offset(lines, shape, row)
  check('place_isTheOtherWayRound', text == '' or layout.place(lines, shape, offset) == row, text, row)
end

--- Checks own edits and others' edits on separate lines: undoing all own edits leaves the others',
--- and redoing restores them.
local function law_undo()
  local undo, text, own_lines, other_lines = Undo.new(), 'own:\nother:\n', 'own:', 'other:'
  local steps = 0
  for _ = 1, math.random(1, 12) do
    local split = text:find('\n', 1, true)
    local is_own = math.random(2) == 1
    local from, to = is_own and 4 or split + 6, is_own and split - 1 or #text - 1
    local start = math.random(from, to)
    local stop = math.random(3) == 1 and math.random(start, to) or start
    local list = { { start = start, stop = stop, text = random_text(2, { 'x', 'yz' }) } }
    if list[1].text ~= '' or stop > start then
      if is_own then
        steps = steps + 1
        undo:boundary()
        undo:own(text, list)
      else
        undo:remote(list)
      end
      text = edits.apply(text, list)
    end
  end
  own_lines, other_lines = text:match('^(.-\n)(.*)$')
  local function apply(list)
    local before = text
    text = edits.apply(text, list)
    return before
  end
  local count = 0
  while undo:undo(apply) do
    count = count + 1
  end
  check('undo_takesEachStepBack', count == steps, count, steps)
  check('undo_leavesWhatOthersWrote', text == 'own:\n' .. other_lines, text, other_lines)
  while undo:redo(apply) do
    count = count - 1
  end
  check('redo_leadsBack', count == 0 and text == own_lines .. other_lines, text)
end

--- Checks the same anywhere in the text: no edit lies outside of it, and all text of others stays.
local function law_undo_anywhere()
  local undo, text, theirs = Undo.new(), random_text(8, { 'a', 'b', '\n' }), 0
  local function apply(list)
    local before = text
    check('undo_staysInTheText', edits.from_wire(edits.to_wire(list), text) ~= nil, text, list)
    text = edits.apply(text, list)
    return before
  end
  for _ = 1, math.random(1, 20) do
    local kind = math.random(6)
    if kind <= 2 then
      local list = random_edits(text, { 'X' })
      undo:boundary()
      undo:own(text, list)
      text = edits.apply(text, list)
    elseif kind <= 4 then
      local places = boundaries(text)
      local place = places[math.random(#places)]
      undo:remote({ { start = place, stop = place, text = 'R' } })
      text = edits.apply(text, { { start = place, stop = place, text = 'R' } })
      theirs = theirs + 1
    elseif kind == 5 then
      undo:undo(apply)
    else
      undo:redo(apply)
    end
  end
  while undo:undo(apply) do
    check('undo_leavesTheOthersOrTakesItsOwn', true)
  end
  local left = select(2, text:gsub('R', ''))
  check('undo_addsNothingOfOthers', left <= theirs, text, theirs)
  check('undo_leavesNoneOfOnesOwn', not text:find('X'), text)
end

--- Checks lines that others insert where the user replaced or deleted text: above the rest of a line,
--- and below a deleted line.
local function law_undo_beside_lines()
  local function is(text, own, theirs, undone)
    local undo = Undo.new()
    local function apply(list)
      local before = text
      text = edits.apply(text, list)
      return before
    end
    undo:own(text, { own })
    apply({ own })
    undo:remote({ theirs })
    apply({ theirs })
    local together = text
    undo:undo(apply)
    check('undo_tearsNoLine', text == undone, text, undone)
    undo:redo(apply)
    check('redo_leadsBack', text == together, text, together)
  end
  local line = { start = 2, stop = 2, text = 'theirs\n' }
  is('a\nfoo bar\n', { start = 2, stop = 5, text = 'X' }, line, 'a\ntheirs\nfoo bar\n')
  is('a\nfoo bar\n', { start = 2, stop = 6, text = '' }, line, 'a\ntheirs\nfoo bar\n')
  is('a\nfoo\n', { start = 2, stop = 6, text = '' }, line, 'a\nfoo\ntheirs\n')
end

law_places()
law_undo_beside_lines()
for _ = 1, rounds do
  law_edits()
  law_nothing_lost()
  law_position()
  law_diff()
  law_diff_of_lines()
  law_layout()
  law_undo()
  law_undo_anywhere()
end
io.stdout:write(('laws: %d checks passed, %d failed (seed %d)\n'):format(passed, failed, seed))
os.exit(failed == 0 and 0 or 1)
