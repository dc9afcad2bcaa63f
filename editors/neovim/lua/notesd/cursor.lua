--- Keeps cursors, selections and scroll positions on their text while others edit it.

local api = vim.api
local keys = require('notesd.keys')

local M = {}

local visual = { v = true, V = true, ['\22'] = true }

local function is_before(one, other)
  return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2])
end

local function is_same(one, other)
  return one[1] == other[1] and one[2] == other[2]
end

--- Where the cursor was before a change that is under way, as far as that is known without the
--- change: `{ kind, at, now }`, see `keys.changing`; `now` is the place of the cursor when Neovim reports
--- the change. nil if the buffer is not the current one.
function M.before(buffer)
  if api.nvim_get_current_buf() ~= buffer.handle then
    return nil
  end
  local now = api.nvim_win_get_cursor(0)
  local key = keys.changing(buffer.handle) or { kind = 'normal', at = now }
  return { kind = key.kind, at = { key.at[1] - 1, key.at[2] }, now = { now[1] - 1, now[2] } }
end

--- Whether deleting at `place` what `edit` deletes is the same as `edit`, as in repeated text.
local function is_same_at(place, line, edit)
  local from, to, text = unpack(edit)
  if is_same(place, from) or text ~= '' or from[1] ~= to[1] or place[1] ~= from[1] then
    return is_same(place, from)
  end
  local whole = line(from[1])
  local first, second, count = math.min(place[2], from[2]), math.max(place[2], from[2]), to[2] - from[2]
  return whole:sub(first + 1, second) == whole:sub(first + count + 1, second + count)
end

--- The start of the text of an operator on characters. At the end of a line, the cursor has already
--- left it when Neovim reports the change.
local function operator_start(before, line, edit)
  if is_same_at(before.now, line, edit) then
    return before.now
  elseif is_same_at(before.at, line, edit) then
    return before.at
  end
  return (edit[3] == '' or is_before(edit[1], before.at)) and edit[1] or before.at
end

--- The place at which Neovim's undo puts the cursor, given `before` and the first edit of the change;
--- `line(index)` returns a line before it. An operator first moves the cursor to the start of its text.
function M.at_start(before, line, edit)
  local from, to = edit[1], edit[2]
  local place = before.at
  if before.kind == 'command' then
    return { from[1], 0 }
  elseif before.kind ~= 'operator' and before.kind ~= 'lines' then
    return { place[1], math.min(place[2], #line(place[1])) }
  end
  local is_lines = from[2] == 0 and to[2] == 0 and to[1] > from[1]
  if before.kind == 'operator' and not is_lines then
    return operator_start(before, line, edit)
  elseif from[1] < place[1] then
    return { from[1], math.min(place[2], #line(from[1])) }
  end
  return place
end

--- A predicate: whether a cursor at `place` stays in front of a text inserted exactly there. While
--- the user types, the cursor stays after the typed text; otherwise it moves with the character
--- that it is on. Whole lines push it down.
local function stays_at(place, is_typing, is_at_end)
  return function(text)
    if place[2] == 0 and text:sub(-1) == '\n' then
      return false
    end
    return is_typing or is_at_end
  end
end

--- The place after edits. A place inside a range that an edit deletes moves to its start; one at an
--- insertion moves after the inserted text, unless `stays(text)`.
local function moved(place, edits, stays)
  for index = #edits, 1, -1 do
    local from, to, text = unpack(edits[index])
    local is_insertion = is_same(from, to)
    local is_left = is_before(place, from) or (is_insertion and is_same(place, from) and stays and stays(text))
    if not is_left and is_before(place, to) then
      place = from
    elseif not is_left then
      local last, row = text:match('[^\n]*$'), from[1] + select(2, text:gsub('\n', ''))
      if place[1] > to[1] then
        place = { row + place[1] - to[1], place[2] }
      else
        place = { row, (row == from[1] and from[2] or 0) + #last + place[2] - to[2] }
      end
    end
  end
  return place
end

--- The cursors and views of all windows that show the buffer, as places after the edits `made`. Call it
--- before you apply them.
function M.save(buffer, made)
  local views, current = {}, api.nvim_get_current_win()
  local mode = api.nvim_get_mode().mode
  for _, window in ipairs(vim.fn.win_findbuf(buffer.handle)) do
    local view = api.nvim_win_call(window, vim.fn.winsaveview)
    local is_current = window == current
    local is_typing = is_current and (mode:sub(1, 1) == 'i' or mode:sub(1, 1) == 'R')
    local line = buffer.lines[view.lnum] or ''
    local place = { view.lnum - 1, math.min(view.col, #line) }
    local saved = { window = window, view = view }
    saved.cursor = moved(place, made, stays_at(place, is_typing, view.col >= #line))
    saved.top = moved({ view.topline - 1, 0 }, made)
    if is_current and visual[mode:sub(1, 1)] then
      local position = vim.fn.getpos('v')
      saved.other = moved({ position[2] - 1, position[3] - 1 }, made)
    end
    views[#views + 1] = saved
  end
  return views
end

--- A place on an existing line of the buffer.
local function within(buffer, place)
  if place[1] >= #buffer.lines then
    return #buffer.lines - 1, #buffer.lines[#buffer.lines]
  end
  return place[1], math.min(place[2], #buffer.lines[place[1] + 1])
end

--- The first and the last row of what edits, already applied, have inserted or where they have
--- deleted.
function M.rows(made)
  local grown = 0
  for index, edit in ipairs(made) do
    local _, count = edit[3]:gsub('\n', '')
    if index == #made then
      local last = edit[1][1] + grown + count
      return made[1][1][1], edit[3]:sub(-1) == '\n' and last - 1 or last
    end
    grown = grown + count - (edit[2][1] - edit[1][1])
  end
end

--- Puts the cursor where Neovim puts it after undo and redo: at `before`, where it was before the
--- change, if that is in the rows from `first` to `last` that changed or next to them; otherwise on
--- the first of these rows.
function M.after_undo(buffer, before, first, last)
  if api.nvim_get_current_buf() ~= buffer.handle then
    return
  elseif before and before[1] >= first - 1 and before[1] <= last + 1 then
    local row, col = within(buffer, before)
    api.nvim_win_set_cursor(0, { row + 1, col })
  else
    local row = math.min(first, #buffer.lines - 1)
    api.nvim_win_set_cursor(0, { row + 1, #buffer.lines[row + 1]:match('^%s*') })
  end
end

--- Moves the end of the selection that is not at the cursor.
local function restore_selection(buffer, saved)
  local row, col = within(buffer, saved.other)
  vim.cmd('normal! o')
  api.nvim_win_set_cursor(0, { row + 1, col })
  vim.cmd('normal! o')
end

--- Restores the windows.
function M.restore(buffer, views)
  for _, saved in ipairs(views) do
    local row, col = within(buffer, saved.cursor)
    local top = within(buffer, saved.top)
    local view = saved.view
    local is_there = view.lnum == row + 1 and view.col == col
    api.nvim_win_call(saved.window, function()
      if saved.other then
        restore_selection(buffer, saved)
      end
      vim.fn.winrestview({ lnum = row + 1, col = col, curswant = is_there and view.curswant or nil, topline = top + 1 })
    end)
  end
end

--- Both ends of the selection in the current window; twice the cursor if nothing is selected.
function M.selection(buffer)
  local function place(position)
    return { within(buffer, { position[1] - 1, position[2] }) }
  end
  local head = place(api.nvim_win_get_cursor(0))
  if not visual[api.nvim_get_mode().mode:sub(1, 1)] then
    return { head, head }
  end
  local other = vim.fn.getpos('v')
  return { place({ other[2], other[3] - 1 }), head }
end

M.within = within

return M
