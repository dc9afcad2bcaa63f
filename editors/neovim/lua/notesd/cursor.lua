--- Keeps cursors, selections and scroll positions on their text while others edit it.

local api = vim.api
local edits = require('notesd.edits')
local layout = require('notesd.layout')

local M = {}

local visual = { v = true, V = true, ['\22'] = true }

local function offset_of(buffer, row, col)
  row = math.min(row, #buffer.lines - 1)
  return layout.offset(buffer.lines, buffer.shape, row) + math.min(col, #buffer.lines[row + 1])
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

local function place_of(buffer, offset)
  local row, col = layout.place(buffer.lines, buffer.shape, offset)
  if row >= #buffer.lines then
    row = #buffer.lines - 1
    col = #buffer.lines[row + 1]
  end
  return row, math.min(col, #buffer.lines[row + 1])
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
