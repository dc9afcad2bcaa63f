--- Edits of a text: applying, transforming and composing them.
---
--- An edit is `{ start = 3, stop = 5, text = "new" }`: it replaces the bytes of the text from
--- `start` up to but not including `stop`, counted from 0. A list of edits is sorted and its edits
--- do not overlap; all offsets are those of the text before the first edit.
---
--- Everything else relies on this law: for two lists `a` and `b` of one text,
---
---     apply(apply(text, b), transform(a, b, true)) == apply(apply(text, a), transform(b, a, false))
---
--- Example: `a` = {0,0,"x"}, `b` = {0,2,""} on "abc". `transform(a, b, true)` is {0,0,"x"},
--- `transform(b, a, false)` is {1,3,""}; both ways lead to "xc".

local M = {}

--- The text with the edits applied. Takes time linear in the text.
function M.apply(text, edits)
  local parts, at = {}, 0
  for _, edit in ipairs(edits) do
    parts[#parts + 1] = text:sub(at + 1, edit.start)
    parts[#parts + 1] = edit.text
    at = edit.stop
  end
  parts[#parts + 1] = text:sub(at + 1)
  return table.concat(parts)
end

--- The edits that lead from `apply(text, edits)` back to the text.
function M.invert(text, edits)
  local inverse, shift = {}, 0
  for _, edit in ipairs(edits) do
    local start = edit.start + shift
    inverse[#inverse + 1] = { start = start, stop = start + #edit.text, text = text:sub(edit.start + 1, edit.stop) }
    shift = shift + #edit.text - (edit.stop - edit.start)
  end
  return inverse
end

--- A list of edits as a sequence of steps over the text: keep n bytes, insert a text, drop n bytes.
local function steps(edits)
  local list, at = {}, 0
  for _, edit in ipairs(edits) do
    if edit.start > at then
      list[#list + 1] = { kind = 'keep', count = edit.start - at }
    end
    if edit.text ~= '' then
      list[#list + 1] = { kind = 'insert', text = edit.text }
    end
    if edit.stop > edit.start then
      list[#list + 1] = { kind = 'drop', count = edit.stop - edit.start }
    end
    at = edit.stop
  end
  return list
end

--- Builds edits from steps; adjacent changes become one edit.
local function builder()
  local self = { edits = {}, at = 0 }

  local function last()
    local edit = self.edits[#self.edits]
    if edit and edit.stop == self.at then
      return edit
    end
    edit = { start = self.at, stop = self.at, text = '' }
    self.edits[#self.edits + 1] = edit
    return edit
  end

  function self.keep(count)
    self.at = self.at + count
  end

  function self.insert(text)
    local edit = last()
    edit.text = edit.text .. text
  end

  function self.drop(count)
    local edit = last()
    self.at = self.at + count
    edit.stop = self.at
  end

  return self
end

--- Number of bytes left of step `index` after `taken` of them; nil if there is no such step.
local function rest(list, index, taken)
  local step = list[index]
  return step and step.count and step.count - taken or nil
end

local function comes_first(first, mine, other)
  if type(first) == 'function' then
    return first(mine, other)
  end
  return first
end

--- The edits `a` as they apply to the text that `b` produced. Both lists apply to the same text.
---
--- Where both insert at one place, the insertion of `a` comes first if `first`, which may be a
--- function of both inserted texts. What `b` inserts inside a range that `a` drops stays. What both
--- drop is dropped once.
function M.transform(a, b, first)
  local ours, theirs, out = steps(a), steps(b), builder()
  local i, j, taken_i, taken_j = 1, 1, 0, 0
  while i <= #ours do
    local mine, other = ours[i], theirs[j]
    local inserts = other and other.kind == 'insert'
    if mine.kind == 'insert' and (not inserts or comes_first(first, mine.text, other.text)) then
      out.insert(mine.text)
      i = i + 1
    elseif inserts then
      out.keep(#other.text)
      j = j + 1
    else
      local left_i, left_j = rest(ours, i, taken_i), rest(theirs, j, taken_j) or math.huge
      local count = math.min(left_i, left_j)
      if not other or other.kind == 'keep' then
        out[mine.kind](count)
      end
      taken_i, taken_j = taken_i + count, taken_j + count
      if count == left_i then
        i, taken_i = i + 1, 0
      end
      if count == left_j then
        j, taken_j = j + 1, 0
      end
    end
  end
  return out.edits
end

--- The next bytes, at most `most`, of the text that `a` produced: kept or inserted. Beyond its last
--- step everything is kept.
local function next_left(step, taken, most)
  if not step then
    return 'keep', most
  elseif step.kind == 'insert' then
    local text = step.text:sub(taken + 1, taken + math.min(most, #step.text))
    return 'insert', #text, text
  end
  return 'keep', math.min(most, step.count - taken)
end

--- One list with the effect of `a` followed by `b`, which applies to the text that `a` produced.
function M.compose(a, b)
  local before, after, out = steps(a), steps(b), builder()
  local i, j, taken_i, taken_j = 1, 1, 0, 0
  while i <= #before or j <= #after do
    local first, second = before[i], after[j]
    if first and first.kind == 'drop' then
      out.drop(first.count)
      i = i + 1
    elseif second and second.kind == 'insert' then
      out.insert(second.text)
      j = j + 1
    elseif not second and first.kind == 'insert' then
      out.insert(first.text:sub(taken_i + 1))
      i, taken_i = i + 1, 0
    else
      local most = second and second.count - taken_j or first.count - taken_i
      local kind, count, text = next_left(first, taken_i, most)
      local is_dropped = second and second.kind == 'drop'
      if kind == 'insert' and not is_dropped then
        out.insert(text)
      elseif kind == 'keep' then
        out[is_dropped and 'drop' or 'keep'](count)
      end
      taken_i, taken_j = taken_i + count, taken_j + count
      if first and taken_i == (first.count or #first.text) then
        i, taken_i = i + 1, 0
      end
      if second and taken_j == second.count then
        j, taken_j = j + 1, 0
      end
    end
  end
  return out.edits
end

--- The position of an offset after the edits. An offset inside a dropped range moves to its start;
--- one at an insertion moves after the inserted text, unless `stays(edit)`.
function M.position(offset, edits, stays)
  local shift = 0
  for _, edit in ipairs(edits) do
    if edit.start > offset then
      break
    end
    local dropped = edit.stop - edit.start
    if edit.stop > offset then
      -- Inside the dropped range, or at its start.
      return edit.start + shift
    elseif edit.start == offset and stays and stays(edit) then
      return offset + shift
    end
    shift = shift + #edit.text - dropped
  end
  return offset + shift
end

--- The edits, with adjacent ones combined.
function M.joined(edits)
  local out, at = builder(), 0
  for _, edit in ipairs(edits) do
    out.keep(edit.start - at)
    if edit.text ~= '' then
      out.insert(edit.text)
    end
    if edit.stop > edit.start then
      out.drop(edit.stop - edit.start)
    end
    at = edit.stop
  end
  return out.edits
end

local function starts_character(text, offset)
  local byte = text:byte(offset + 1)
  return byte == nil or byte < 0x80 or byte >= 0xC0
end

--- Reads edits in the form of the wire (`start`, `end`, `text`), which apply to `text`. Returns nil
--- and the reason if they do not apply: not sorted, past the end, or inside a character.
function M.from_wire(list, text)
  if type(list) ~= 'table' then
    return nil, 'edits are not a list'
  end
  local edits, at = {}, 0
  for index, item in ipairs(list) do
    local start, stop, new = item.start, item['end'], item.text
    if type(start) ~= 'number' or type(stop) ~= 'number' or type(new) ~= 'string' then
      return nil, ('edit %d has no start, end and text'):format(index - 1)
    end
    if start < at or stop < start or stop > #text then
      return nil, ('edit %d is out of order or past the end'):format(index - 1)
    end
    if not starts_character(text, start) or not starts_character(text, stop) then
      return nil, ('edit %d is inside a character'):format(index - 1)
    end
    edits[index] = { start = start, stop = stop, text = new }
    at = stop
  end
  return edits
end

--- The edits in the form of the wire.
function M.to_wire(edits)
  local list = {}
  for index, edit in ipairs(edits) do
    list[index] = { start = edit.start, ['end'] = edit.stop, text = edit.text }
  end
  return list
end

return M
