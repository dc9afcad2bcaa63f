--- Texts as lines, and the lines that a buffer shows for them.
---
--- A text is split at each LF: 'a' with a final LF is { 'a', '' }. A buffer shows the empty line at the
--- end as the option 'endofline'. It shows the empty text as one empty line, whatever that option says,
--- so a text that is only a LF is two empty lines without 'endofline'. A place is { line, column }, both
--- from 0, in bytes; { #lines, 0 } is the place after a final LF. An edit is { from, to, text }.
---
--- The law: text(shown(lines)) is lines, for every text.

local M = {}

--- The lines of a text.
function M.split(text)
  return vim.split(text, '\n', { plain = true })
end

--- The lines that a buffer shows for the lines of a text, and whether it shows 'endofline'.
function M.shown(lines)
  if #lines == 1 and lines[1] == '' then
    return { '' }, true
  elseif #lines == 1 or lines[#lines] ~= '' or (#lines == 2 and lines[1] == '') then
    return lines, false
  end
  return vim.list_slice(lines, 1, #lines - 1), true
end

--- The lines of the text that a buffer shows.
function M.text(lines, eol)
  local all = vim.list_extend({}, lines)
  if eol and not (#lines == 1 and lines[1] == '') then
    all[#all + 1] = ''
  end
  return all
end

--- The bytes of a text before a place.
function M.offset(lines, place)
  local offset = place[2]
  for index = 1, place[1] do
    offset = offset + #lines[index] + 1
  end
  return offset
end

--- The place of an offset; the last place if the text ends before it.
function M.place(lines, offset)
  for index, line in ipairs(lines) do
    if offset <= #line then
      return { index - 1, offset }
    end
    offset = offset - #line - 1
  end
  return { #lines - 1, #lines[#lines] }
end

--- The lines of a text with edits applied.
function M.applied(lines, edits)
  for index = #edits, 1, -1 do
    local from, to, text = unpack(edits[index])
    local new = M.split(text)
    new[1] = (lines[from[1] + 1] or ''):sub(1, from[2]) .. new[1]
    new[#new] = new[#new] .. (lines[to[1] + 1] or ''):sub(to[2] + 1)
    lines = M.spliced(lines, from[1], to[1] + 1, new)
  end
  return lines
end

--- The bytes between two places.
function M.between(lines, from, to)
  if from[1] == to[1] then
    return to[2] - from[2]
  end
  local count = #lines[from[1] + 1] - from[2] + 1 + to[2]
  for index = from[1] + 2, to[1] do
    count = count + #lines[index] + 1
  end
  return count
end

--- The change, in the form of `plan`, that replaces lines `from` up to but not including `to` by
--- `new`.
local function replace_lines(lines, from, to, new)
  if #new == 0 and from == to then
    return {}
  elseif #new == 0 and from == 0 and to == #lines then
    return { { 0, 0, to - 1, #lines[to], { '' } } }
  elseif #new == 0 and from == 0 then
    return { { 0, 0, to, 0, { '' } } }
  elseif #new == 0 then
    return { { from - 1, #lines[from], to - 1, #lines[to], { '' } } }
  elseif from == to and from == 0 then
    local text = vim.list_extend({}, new)
    text[#text + 1] = ''
    return { { 0, 0, 0, 0, text } }
  elseif from == to then
    return { { from - 1, #lines[from], from - 1, #lines[from], vim.list_extend({ '' }, new) } }
  end
  return { { from, 0, to - 1, #lines[to], new } }
end

--- The changes that replace all lines between the first and the last that differ.
local function anew(lines, new, eol)
  local from, most = 0, math.min(#lines, #new)
  while from < most and lines[from + 1] == new[from + 1] do
    from = from + 1
  end
  local kept = 0
  while kept < most - from and lines[#lines - kept] == new[#new - kept] do
    kept = kept + 1
  end
  return replace_lines(lines, from, #lines - kept, vim.list_slice(new, from + 1, #new - kept)), eol
end

--- The change for an edit that reaches the end of the text, and whether the last line has a line end
--- then. nil if the edit has no such change.
local function at_end(lines, from, new)
  local last = #lines - 1
  local row, col = unpack(from)
  local ends = new[#new] == '' and #new > 1
  if row > last then
    -- After the end of the last line: the inserted text becomes a separate line.
    if ends then
      new[#new] = nil
    end
    return { last, #lines[last + 1], last, #lines[last + 1], vim.list_extend({ '' }, new) }, ends
  elseif ends then
    new[#new] = nil
    return { row, col, last, #lines[last + 1], new }, true
  elseif #new == 1 and new[1] == '' and col == 0 and row > 0 then
    return { row - 1, #lines[row], last, #lines[last + 1], { '' } }, true
  elseif #new == 1 and new[1] == '' and col == 0 then
    return nil
  end
  return { row, col, last, #lines[last + 1], new }, false
end

--- Whether a buffer with these lines shows a text of at most one line end.
local function is_tiny(lines)
  return #lines == 1 and lines[1] == '' or #lines == 2 and lines[1] == '' and lines[2] == ''
end

--- Plans how to apply edits to a buffer that shows `lines`. Returns the changes, each with the
--- arguments of `nvim_buf_set_text`, `{ row, col, end row, end col, lines }`, in the order in which to
--- apply them, and 'endofline' after them.
function M.plan(lines, eol, edits)
  local new, new_eol = M.shown(M.applied(M.text(lines, eol), edits))
  if is_tiny(lines) or is_tiny(new) then
    return anew(lines, new, new_eol)
  end
  local changes, ends = {}, eol
  for index = #edits, 1, -1 do
    local from, to, text = unpack(edits[index])
    local put = M.split(text)
    local is_at_end = to[1] == #lines or (not eol and to[1] == #lines - 1 and to[2] == #lines[#lines])
    if not is_at_end then
      changes[#changes + 1] = { from[1], from[2], to[1], to[2], put }
    else
      local change
      change, ends = at_end(lines, from, put)
      -- The change may reach the line before, which the next edit may change.
      if not change or (index > 1 and edits[index - 1][2][1] >= from[1] - 1) then
        return anew(lines, new, new_eol)
      end
      changes[#changes + 1] = change
    end
  end
  return changes, ends
end

--- The lines after a change of `plan`. May modify `lines`.
function M.changed(lines, change)
  local row, col, to_row, to_col, new = unpack(change)
  local replaced = vim.list_slice(new, 1, #new)
  replaced[#replaced] = replaced[#replaced] .. lines[to_row + 1]:sub(to_col + 1)
  replaced[1] = lines[row + 1]:sub(1, col) .. replaced[1]
  return M.spliced(lines, row, to_row + 1, replaced)
end

--- The lines, with those from `from` up to but not including `to`, counted from 0, replaced by
--- `new`. May modify `lines`.
function M.spliced(lines, from, to, new)
  if to - from == #new then
    for index, line in ipairs(new) do
      lines[from + index] = line
    end
    return lines
  end
  local result = {}
  for index = 1, from do
    result[index] = lines[index]
  end
  for _, line in ipairs(new) do
    result[#result + 1] = line
  end
  for index = to + 1, #lines do
    result[#result + 1] = lines[index]
  end
  return result
end

return M
