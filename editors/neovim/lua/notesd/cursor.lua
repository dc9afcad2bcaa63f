--- Keeps cursors, selections and scroll positions on their text while others edit it.

local api = vim.api
local diff = require('notesd.diff')
local edits = require('notesd.edits')
local keys = require('notesd.keys')
local layout = require('notesd.layout')

local M = {}

local visual = { v = true, V = true, ['\22'] = true }

local function offset_of(buffer, row, col)
  row = math.min(row, #buffer.lines - 1)
  return layout.offset(buffer.lines, buffer.shape, row) + math.min(col, #buffer.lines[row + 1])
end

--- Where the cursor was before a change that is under way, as far as that is known without the
--- change: `{ kind, offset, col, now }`, see `keys.changing`; `now` is the offset of the cursor when
--- Neovim reports the change. nil if the buffer is not the current one. The lines of `buffer` are still
--- those before the change.
function M.before(buffer)
  if api.nvim_get_current_buf() ~= buffer.handle then
    return nil
  end
  local now = api.nvim_win_get_cursor(0)
  local key = keys.changing(buffer.handle) or { kind = 'normal', at = now }
  local function offset(at)
    return offset_of(buffer, at[1] - 1, at[2])
  end
  return { kind = key.kind, offset = offset(key.at), col = key.at[2], now = offset(now) }
end

--- Whether deleting at `offset` the number of bytes that `edit` deletes is the same as `edit`, as in
--- repeated text.
local function is_same_at(offset, text, edit)
  if offset == edit.start or edit.text ~= '' then
    return offset == edit.start
  end
  local first, second = math.min(offset, edit.start), math.max(offset, edit.start)
  local count = edit.stop - edit.start
  return text:sub(first + 1, second) == text:sub(first + count + 1, second + count)
end

--- The start of the text of an operator on characters. At the end of a line, the cursor has already
--- left it when Neovim reports the change.
local function operator_start(before, text, made)
  if is_same_at(before.now, text, made[1]) then
    return before.now
  elseif is_same_at(before.offset, text, made[1]) then
    return before.offset
  end
  return made[1].text == '' and made[1].start or math.min(before.offset, made[1].start)
end

--- The offset at which Neovim's undo puts the cursor, given `before`, the text before the change, and
--- the edits `made` that it consists of. An operator first moves the cursor to the start of its text.
function M.at_start(before, text, made)
  local start, offset = made[1].start, before.offset
  if before.kind == 'command' then
    return diff.line_start(text, start)
  elseif before.kind ~= 'operator' and before.kind ~= 'lines' then
    return offset
  end
  local row_start = diff.line_start(text, start)
  local is_lines = row_start == start and text:sub(made[1].stop, made[1].stop) == '\n' and made[1].stop > start
  if before.kind == 'operator' and not is_lines then
    return operator_start(before, text, made)
  elseif row_start < diff.line_start(text, offset) then
    return math.min(row_start + before.col, (text:find('\n', row_start + 1, true) or #text + 1) - 1)
  end
  return offset
end

--- A predicate: whether a cursor at `col` stays in front of a text inserted exactly there. While
--- the user types, the cursor stays after the typed text; otherwise it moves with the character
--- that it is on. Whole lines push it down.
local function stays_at(col, is_typing, is_at_end)
  return function(edit)
    if col == 0 and edit.text:sub(-1) == '\n' then
      return false
    end
    return is_typing or is_at_end
  end
end

--- The cursors and views of all windows that show the buffer, as offsets after the edits `made`.
--- Call it before you apply them.
function M.save(buffer, made)
  local views, current = {}, api.nvim_get_current_win()
  local mode = api.nvim_get_mode().mode
  for _, window in ipairs(vim.fn.win_findbuf(buffer.handle)) do
    local view = api.nvim_win_call(window, vim.fn.winsaveview)
    local is_current = window == current
    local is_typing = is_current and (mode:sub(1, 1) == 'i' or mode:sub(1, 1) == 'R')
    local line = buffer.lines[view.lnum] or ''
    local stays = stays_at(view.col, is_typing, view.col >= #line)
    local saved = { window = window, view = view }
    saved.cursor = edits.position(offset_of(buffer, view.lnum - 1, view.col), made, stays)
    saved.top = edits.position(offset_of(buffer, view.topline - 1, 0), made)
    if is_current and visual[mode:sub(1, 1)] then
      local position = vim.fn.getpos('v')
      saved.other = edits.position(offset_of(buffer, position[2] - 1, position[3] - 1), made)
    end
    views[#views + 1] = saved
  end
  return views
end

--- Row and column, both from 0, of an offset, on an existing line.
local function place_of(buffer, offset)
  local row, col = layout.place(buffer.lines, buffer.shape, offset)
  if row >= #buffer.lines then
    row = #buffer.lines - 1
    col = #buffer.lines[row + 1]
  end
  return row, math.min(col, #buffer.lines[row + 1])
end

function M.place(buffer, offset)
  return { place_of(buffer, offset) }
end

--- The first and the last row of what edits, already applied, have inserted or where they have
--- deleted.
function M.rows(buffer, made)
  local last, moved = made[#made], 0
  for index = 1, #made - 1 do
    moved = moved + #made[index].text - (made[index].stop - made[index].start)
  end
  local stop = last.start + moved + #last.text
  if last.text:sub(-1) == '\n' then
    stop = stop - 1
  end
  return (place_of(buffer, made[1].start)), (place_of(buffer, stop))
end

--- Puts the cursor where Neovim puts it after undo and redo: at `before`, where it was before the
--- change, if that is in the rows from `first` to `last` that changed or next to them; otherwise on
--- the first of these rows.
function M.after_undo(buffer, before, first, last)
  if api.nvim_get_current_buf() ~= buffer.handle then
    return
  elseif before[1] >= first - 1 and before[1] <= last + 1 then
    api.nvim_win_set_cursor(0, { math.min(before[1], #buffer.lines - 1) + 1, before[2] })
  else
    local row = math.min(first, #buffer.lines - 1)
    api.nvim_win_set_cursor(0, { row + 1, #buffer.lines[row + 1]:match('^%s*') })
  end
end

--- Moves the end of the selection that is not at the cursor.
local function restore_selection(buffer, saved)
  local row, col = place_of(buffer, saved.other)
  vim.cmd('normal! o')
  api.nvim_win_set_cursor(0, { row + 1, col })
  vim.cmd('normal! o')
end

--- Restores the windows. `target`, if given, is an offset for the cursor of the current window.
function M.restore(buffer, views, target)
  local current = api.nvim_get_current_win()
  for _, saved in ipairs(views) do
    local offset = saved.window == current and target or saved.cursor
    local row, col = place_of(buffer, offset)
    local top = place_of(buffer, saved.top)
    local view = saved.view
    local is_same = view.lnum == row + 1 and view.col == col
    api.nvim_win_call(saved.window, function()
      if saved.other then
        restore_selection(buffer, saved)
      end
      vim.fn.winrestview({ lnum = row + 1, col = col, curswant = is_same and view.curswant or nil, topline = top + 1 })
    end)
  end
end

return M
