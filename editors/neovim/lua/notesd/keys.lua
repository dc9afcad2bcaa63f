--- What the keys mean for undo, which no event reports: where Neovim ends a step in insert mode, and
--- where the cursor was before a change.

local api = vim.api
local client = require('notesd.client')

local M = {}

--- Keys that move the cursor in insert mode, as `vim.on_key` reports them. Neovim begins a new step
--- after them; after those with `false` only if the cursor has moved.
local moving = {}
for name in ('Left Right Up Down C-Left C-Right S-Left S-Right S-Up S-Down PageUp PageDown LeftMouse'):gmatch('%S+') do
  moving[api.nvim_replace_termcodes('<' .. name .. '>', true, true, true)] = false
end
for name in ('Home End C-Home C-End'):gmatch('%S+') do
  moving[api.nvim_replace_termcodes('<' .. name .. '>', true, true, true)] = true
end

--- Operators that always apply to whole lines.
local of_lines = { ['>'] = true, ['<'] = true, ['='] = true, ['!'] = true, gq = true, gw = true }

--- The last key until it is processed: `{ handle, kind, key, at }`, where `kind` is the kind of mode
--- in which it was typed, and `at` where the cursor was, or the start of the selection.
local last
--- What the keys of insert mode lead to: the note in which the last one may have moved the cursor,
--- and from where; whether the last one was CTRL-G; and whether the next movement begins no step
--- (CTRL-G U).
local typing = {}

local function key_of_insert(note, key, at)
  local moved = typing.moved
  typing.moved = nil
  if moved and moved.note == note and (moved.always or not vim.deep_equal(moved.at, at)) then
    note:end_step()
  end
  if typing.is_after_g then
    typing.is_after_g = false
    if key == 'u' then
      note:end_step()
    end
    typing.is_kept = key == 'U'
  elseif key == '\7' then
    typing.is_after_g = true
  else
    if moving[key] ~= nil and not typing.is_kept then
      note:text()
      typing.moved = { note = note, at = at, always = moving[key] }
    end
    typing.is_kept = false
  end
end

--- The position at which a change of the selection starts.
local function selection_start(mode, at)
  local other = vim.fn.getpos('v')
  local row, col = other[2], other[3] - 1
  if mode == 'V' then
    return { math.min(row, at[1]), 0 }
  elseif mode == '\22' then
    return { math.min(row, at[1]), math.min(col, at[2]) }
  elseif row < at[1] or (row == at[1] and col < at[2]) then
    return { row, col }
  end
  return at
end

local is_scheduled = false

--- Forgets the key when it has been processed: other changes are by scripts.
local function forget_later()
  if not is_scheduled then
    is_scheduled = true
    vim.schedule(function()
      is_scheduled, last = false, nil
    end)
  end
end

local function on_key(key)
  local handle = api.nvim_get_current_buf()
  local note = client.open[handle]
  if not note or not note.buffer or note.closed then
    typing = {}
    return
  end
  local long_mode = api.nvim_get_mode().mode
  local mode = long_mode:sub(1, 1)
  local at = api.nvim_win_get_cursor(0)
  if mode == 'i' or mode == 'R' then
    key_of_insert(note, key, at)
    last = { handle = handle, kind = 'insert', key = key, at = at }
  else
    typing = {}
    if mode == 'c' then
      -- A search shows its match already; what matters is where it began.
      local is_operator = last and last.handle == handle and last.kind == 'operator'
      last = is_operator and last or { handle = handle, kind = 'command', key = key, at = at }
    elseif mode == 'v' or mode == 'V' or mode == '\22' then
      last = { handle = handle, kind = 'selection', key = key, at = selection_start(mode, at) }
    else
      last = { handle = handle, kind = long_mode:sub(1, 2) == 'no' and 'operator' or 'normal', key = key, at = at }
    end
  end
  forget_later()
end

--- Follows the keys from now on.
function M.follow()
  if not M.is_following then
    M.is_following = true
    vim.on_key(on_key, api.nvim_create_namespace('notesd_keys'))
  end
end

--- The key whose command changes the buffer for the first time now: `{ kind, at }`. Its kind is
--- `normal`, `insert`, `selection`, `command`, `operator` or `lines`, an operator on whole lines. nil
--- if no key does.
function M.changing(handle)
  if not last or last.handle ~= handle then
    return nil
  end
  local operator = vim.v.operator
  local is_lines = last.kind == 'operator' and (of_lines[operator] or operator:sub(-1) == last.key)
  return { kind = is_lines and 'lines' or last.kind, at = last.at }
end

return M
