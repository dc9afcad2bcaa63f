--- Finds the edits that a user made. The host compares texts itself for what it sends; these edits only
--- have to be right, in whole characters, and small enough for undo.

local M = {}

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

--- The place `offset` bytes after the start of line `row`, in a text that begins there.
local function place(text, row, offset)
  local before = text:sub(1, offset)
  local _, count = before:gsub('\n', '')
  return { row + count, #before:match('[^\n]*$') }
end

--- The edit that makes `b` of `a`, which begins at line `row`; nil if they are equal. A character that was
--- inserted among equal ones is, if it can be, the one before `caret`, an offset in `b`.
local function narrowed(a, b, row, caret)
  if a == b then
    return nil
  end
  local prefix, grown = common_prefix(a, b), #b - #a
  if caret and grown > 0 and caret >= grown and caret - grown < prefix and a:sub(caret - grown + 1) == b:sub(caret + 1) then
    prefix = caret - grown
  end
  while prefix > 0 and (continues(a:byte(prefix + 1)) or continues(b:byte(prefix + 1))) do
    prefix = prefix - 1
  end
  local suffix = common_suffix(a, b, math.min(#a, #b) - prefix)
  while suffix > 0 and (continues(a:byte(#a - suffix + 1)) or continues(b:byte(#b - suffix + 1))) do
    suffix = suffix - 1
  end
  return { place(a, row, prefix), place(a, row, #a - suffix), b:sub(prefix + 1, #b - suffix) }
end

--- The edits of a text that replace its lines from `from` up to but not including `to` by `new`. The text
--- has `count` lines; `line(index)` returns one, counted from 0. `caret` is the place of the caret
--- after it, or nil.
function M.replaced(line, count, from, to, new, caret)
  while from < to and #new > 0 and line(from) == new[1] do
    from, new = from + 1, vim.list_slice(new, 2)
  end
  while from < to and #new > 0 and line(to - 1) == new[#new] do
    to, new = to - 1, vim.list_slice(new, 1, #new - 1)
  end
  local text = table.concat(new, '\n')
  if from == to and #new == 0 then
    return {}
  elseif #new == 0 and to < count then
    return { { { from, 0 }, { to, 0 }, '' } }
  elseif #new == 0 then
    return { { { from - 1, #line(from - 1) }, { to - 1, #line(to - 1) }, '' } }
  elseif from == to and from < count then
    return { { { from, 0 }, { from, 0 }, text .. '\n' } }
  elseif from == to then
    local at = { from - 1, #line(from - 1) }
    return { { at, at, '\n' .. text } }
  end
  local edits = {}
  if to - from == #new then
    for index, changed in ipairs(new) do
      local row = from + index - 1
      edits[#edits + 1] = narrowed(line(row), changed, row, caret and caret[1] == row and caret[2] or nil)
    end
  else
    local old = {}
    for row = from, to - 1 do
      old[#old + 1] = line(row)
    end
    edits[1] = narrowed(table.concat(old, '\n'), text, from, caret and caret[1] == from and caret[2] or nil)
  end
  return edits
end

return M
