--- Converts between the bytes of a note and the lines of a buffer.
---
--- A shape is `{ eol = true, dos = false }`. With `eol`, the last line has a line end like the
--- others; with `dos`, lines end with CR LF. A text is shown with `dos` only if all its lines end
--- with CR LF; any other CR is part of a line. A single empty line is the empty text, whatever
--- `eol` says, so a note that is only a line end is two empty lines without `eol`.
---
--- The law: `encode(decode(text)) == text` for every text.

local M = {}

--- Whether a text has at least one LF, and each has a CR before it.
local function all_dos(text)
  local _, feeds = text:gsub('\n', '')
  local _, both = text:gsub('\r\n', '')
  return feeds > 0 and feeds == both
end

local function split(text, separator)
  local lines, at = {}, 1
  while true do
    local start, stop = text:find(separator, at, true)
    if not start then
      lines[#lines + 1] = text:sub(at)
      return lines
    end
    lines[#lines + 1] = text:sub(at, start - 1)
    at = stop + 1
  end
end

function M.line_end(shape)
  return shape.dos and '\r\n' or '\n'
end

--- The lines of a text, and its shape. Keeps the shape `kept`, if given and the text allows it.
function M.decode(text, kept)
  if text == '' then
    return { '' }, { eol = true, dos = kept ~= nil and kept.dos }
  end
  local dos = all_dos(text)
  if kept and not kept.dos then
    dos = false
  elseif kept and kept.dos and not text:find('[\r\n]') then
    dos = true
  end
  local lines = split(text, dos and '\r\n' or '\n')
  local eol = #lines > 1 and lines[#lines] == '' and not (#lines == 2 and lines[1] == '')
  if eol then
    lines[#lines] = nil
  end
  return lines, { eol = eol, dos = dos }
end

--- The text of lines in a shape.
function M.encode(lines, shape)
  if #lines == 1 and lines[1] == '' then
    return ''
  end
  local line_end = M.line_end(shape)
  return table.concat(lines, line_end) .. (shape.eol and line_end or '')
end

--- The offset of the start of line `row`, counted from 0.
function M.offset(lines, shape, row)
  local offset, extra = 0, #M.line_end(shape)
  for index = 1, row do
    offset = offset + #lines[index] + extra
  end
  return offset
end

--- Row and column, both from 0, of an offset. The row is `#lines` for an offset after the end of
--- the last line; the column may lie inside a CR LF.
function M.place(lines, shape, offset)
  local extra = #M.line_end(shape)
  for row = 0, #lines - 1 do
    local length = #lines[row + 1]
    if offset < length + extra or (row == #lines - 1 and offset <= length) then
      return row, offset
    end
    offset = offset - length - extra
  end
  return #lines, offset
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

--- The changes that replace all lines between the first and the last that differ. They do not
--- depend on edits.
local function anew(lines, text, shape)
  local new, new_shape = M.decode(text, shape)
  if new_shape.dos ~= shape.dos then
    new, new_shape = M.decode(text)
  end
  local from, most = 0, math.min(#lines, #new)
  while from < most and lines[from + 1] == new[from + 1] do
    from = from + 1
  end
  local kept = 0
  while kept < most - from and lines[#lines - kept] == new[#new - kept] do
    kept = kept + 1
  end
  return replace_lines(lines, from, #lines - kept, vim.list_slice(new, from + 1, #new - kept)), new_shape
end

--- The lines that an edit inserts; nil if the shape does not allow them.
local function inserted(text, shape)
  if not shape.dos then
    return split(text, '\n')
  end
  local lines = split(text, '\r\n')
  for _, line in ipairs(lines) do
    if line:find('[\r\n]') then
      return nil
    end
  end
  return lines
end

--- The change for an edit that touches the end of the text, and whether the last line has a line
--- end then. nil if the edit has no such change.
local function at_end(lines, row, col, new)
  local last = #lines - 1
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

--- The change for one edit, and whether the last line has a line end after it. nil if the edit has
--- no such change; `anew` then gives the changes.
local function change_of(lines, shape, edit, text)
  local new = inserted(edit.text, shape)
  local row, col = M.place(lines, shape, edit.start)
  local to_row, to_col = M.place(lines, shape, edit.stop)
  local function is_inside(r, c)
    return shape.dos and r < #lines and c > #lines[r + 1]
  end
  if not new or is_inside(row, col) or is_inside(to_row, to_col) then
    return nil
  elseif shape.dos and (text:sub(edit.start, edit.start) == '\r' or text:sub(edit.stop + 1, edit.stop + 1) == '\n') then
    return nil
  elseif edit.stop == #text then
    return at_end(lines, row, col, new)
  end
  return { row, col, to_row, to_col, new }, shape.eol
end

--- Plans how to apply edits of a text to the buffer that shows it. Returns the changes, each with
--- the arguments of `nvim_buf_set_text`, `{ row, col, end row, end col, lines }`, in the order in
--- which to apply them, and the shape after them.
---
--- @param lines the lines shown
--- @param shape table their shape
--- @param text string what they encode to
--- @param edits table edits of the text
--- @param after string the text with the edits applied
function M.plan(lines, shape, text, edits, after)
  if #text <= 2 or #after <= 2 then
    return anew(lines, after, shape)
  end
  local joined = require('notesd.edits').joined(edits)
  local changes, eol = {}, shape.eol
  for index = #joined, 1, -1 do
    local change, ends = change_of(lines, shape, joined[index], text)
    if not change then
      return anew(lines, after, shape)
    end
    if index == #joined then
      eol = ends
    end
    changes[#changes + 1] = change
  end
  return changes, { eol = eol, dos = shape.dos }
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
