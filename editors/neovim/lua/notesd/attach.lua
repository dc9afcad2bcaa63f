--- The autocommands and mappings of a note's buffer.

local api = vim.api
local config = require('notesd.config')

local M = {}

local function take_back(note, what)
  return function()
    for _ = 1, vim.v.count1 do
      if not note:take_back(what) then
        api.nvim_echo({ { what == 'undo' and 'No change of yours left to undo' or 'Nothing left to redo' } }, false, {})
        return
      end
    end
  end
end

local descriptions = { undo = 'Undo your own last change', redo = 'Redo your own last change' }
local abbreviations = { undo = 'NotesUndo', u = 'NotesUndo', redo = 'NotesRedo', red = 'NotesRedo' }

local function map(note)
  local function set(keys, what)
    vim.keymap.set('n', keys, take_back(note, what), { buffer = note.handle, desc = descriptions[what] })
  end
  set('<Plug>(notesd-undo)', 'undo')
  set('<Plug>(notesd-redo)', 'redo')
  if not config.get().mappings then
    return
  end
  for _, keys in ipairs({ 'u', 'g-', 'U', '<Undo>' }) do
    set(keys, 'undo')
  end
  for _, keys in ipairs({ '<C-r>', 'g+' }) do
    set(keys, 'redo')
  end
  for word, command in pairs(abbreviations) do
    vim.cmd(("cnoreabbrev <buffer> <expr> %s getcmdtype() ==# ':' && getcmdline() ==# '%s' ? '%s' : '%s'"):format(
      word, word, command, word))
  end
end

--- Ends an undo step; what is typed next begins another. Leaving a block insertion does not end
--- one, because Neovim changes the other lines of the block after it.
local function boundary(note, event)
  local buffer = note.buffer
  if not buffer or (event == 'InsertLeave' and buffer.is_block_insert) then
    return
  end
  buffer.is_block_insert = false
  note:end_step()
end

local function follow(note, group)
  local function on(events, callback)
    api.nvim_create_autocmd(events, { group = group, buffer = note.handle, callback = function(given)
      if not note.closed then
        callback(given)
      end
    end })
  end
  on({ 'TextChanged', 'InsertLeave' }, function(given)
    boundary(note, given.event)
  end)
  on('TextChangedI', function()
    if note.buffer then
      note:text()
    end
  end)
  on({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, function()
    require('notesd.presence').moved()
  end)
  on('BufLeave', function()
    require('notesd.presence').left(note)
  end)
  on('BufFilePost', function()
    require('notesd.files').renamed(note)
  end)
  on('QuitPre', function()
    note:quitting()
  end)
  on({ 'BufUnload', 'BufWipeout' }, function()
    note:close()
  end)
end

--- Neovim copies text that was inserted before or after a block into the block's other lines when
--- inserting ends, after InsertLeave and the change of mode. Nothing may move until then, and the
--- copies belong to the same undo step.
local function block_mode_changed(buffer, event)
  if event.new_mode:sub(1, 1) == 'i' then
    buffer.is_block_insert = buffer.is_block_insert or event.old_mode == '\22'
  elseif buffer.is_block_insert then
    vim.schedule(function()
      buffer.is_block_insert = false
    end)
  end
end

local function follow_blocks(note, group)
  api.nvim_create_autocmd('ModeChanged', {
    group = group,
    pattern = '*',
    callback = function()
      if note.buffer and not note.closed and api.nvim_get_current_buf() == note.handle then
        block_mode_changed(note.buffer, vim.v.event)
      end
    end,
  })
end

--- Before 0.8, two things go wrong when Neovim previews `:substitute` ('inccommand'). It switches
--- undo on for a moment, and crashes if a change without undo has not been ended, as when others or a
--- mapping have changed the text since the last key in Normal mode. And it does not report changes by
--- scripts while the preview is shown.
local function follow_previews(note, group)
  local tick
  local function on(event, callback)
    api.nvim_create_autocmd(event, { group = group, pattern = ':', callback = function()
      if note.buffer and not note.closed and api.nvim_get_current_buf() == note.handle then
        callback()
      end
    end })
  end
  on('CmdlineEnter', function()
    tick = api.nvim_buf_get_changedtick(note.handle)
  end)
  on('CmdlineChanged', function()
    note.buffer:end_undo_entry()
  end)
  on('CmdlineLeave', function()
    note.buffer:examine_since(tick)
    tick = nil
  end)
end

local numbers = 0

--- Sets up the buffer of a note.
function M.buffer(note)
  numbers = numbers + 1
  note.group = api.nvim_create_augroup(('notesd_%d'):format(numbers), { clear = true })
  follow(note, note.group)
  follow_blocks(note, note.group)
  follow_previews(note, note.group)
  require('notesd.keys').follow()
  map(note)
  -- Others write the text too, and must not set options here.
  vim.bo[note.handle].modeline = false
  if vim.bo[note.handle].filetype == '' then
    vim.bo[note.handle].filetype = 'markdown'
  end
  -- Last, because the file type may set that of HTML.
  vim.bo[note.handle].omnifunc = "v:lua.require'notesd.links'.complete"
end

--- Removes the autocommands of a closed note later, since one of them may be running.
function M.release(note)
  vim.schedule(function()
    pcall(api.nvim_del_augroup_by_id, note.group)
  end)
end

--- Removes the mappings from a buffer that no longer shows a note.
function M.unmap(handle)
  for _, mapping in ipairs(api.nvim_buf_get_keymap(handle, 'n')) do
    if mapping.desc == descriptions.undo or mapping.desc == descriptions.redo then
      pcall(api.nvim_buf_del_keymap, handle, 'n', mapping.lhs)
    end
  end
  api.nvim_buf_call(handle, function()
    for word in pairs(abbreviations) do
      vim.cmd('silent! cunabbrev <buffer> ' .. word)
    end
  end)
end

return M
