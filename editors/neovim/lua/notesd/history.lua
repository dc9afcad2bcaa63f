--- The revisions of a note, as a list in a separate window. The user can show and compare their
--- texts.

local api = vim.api
local client = require('notesd.client')
local scratch = require('notesd.scratch')

local M = {}

local page = 200

local function line_of(revision)
  local label = revision.author and (revision.author.label or revision.author.user) or ''
  local size = revision.deleted and 'deleted' or revision.compacted and 'compacted' or ('%d bytes'):format(revision.bytes)
  return ('%s  %-20s  %-7s  %s'):format(revision.modified:gsub('T', ' '):gsub('%..*', ''), label, revision.kind or '', size)
end

--- The text of a version. If there is none, tells the user and returns nil.
local function text_at(note, version)
  local err, result = client.ask('note.get', { id = note.id, at = version })
  if err then
    note:tell(err.message, vim.log.levels.ERROR)
    return nil
  end
  return result.note.text
end

local function title(note, revision)
  return ('notes://%s @ %s'):format(note:shown_name(), revision.version)
end

local function under_cursor(revisions)
  return revisions[api.nvim_win_get_cursor(0)[1]]
end

local function show(note, revisions)
  local revision = under_cursor(revisions)
  local text = revision and text_at(note, revision.version)
  if text then
    scratch.show(title(note, revision), text)
  end
end

--- Compares the revision with the current text of the note's buffer.
local function compare(note, revisions)
  local revision = under_cursor(revisions)
  local text = revision and text_at(note, revision.version)
  local window = vim.fn.win_findbuf(note.handle)[1]
  if not text then
    return
  elseif not window then
    note:tell('no window shows the note, so there is nothing to compare with', vim.log.levels.WARN)
    return
  end
  api.nvim_set_current_win(window)
  scratch.show(title(note, revision), text, 'leftabove vertical split')
  vim.cmd('diffthis')
  api.nvim_win_call(window, function()
    vim.cmd('diffthis')
  end)
end

--- `:NotesHistory`
function M.open(note)
  local err, result = client.ask('note.history', { id = note.id, limit = page })
  if err then
    note:tell(err.message, vim.log.levels.ERROR)
    return
  end
  local revisions = result.revisions
  local lines = vim.tbl_map(line_of, revisions)
  local handle = scratch.show(('notes://%s (history)'):format(note:shown_name()), table.concat(lines, '\n'), 'botright 10split')
  vim.bo[handle].filetype = 'notesd-history'
  vim.wo.cursorline = true
  local function map(keys, action, description)
    vim.keymap.set('n', keys, function()
      action(note, revisions)
    end, { buffer = handle, desc = description })
  end
  map('<CR>', show, 'Show the text of this revision')
  map('d', compare, 'Compare this revision with the current text')
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = handle, desc = 'Close the history' })
  client.tell('<CR> shows a revision, d compares it, q closes' .. (result.next and ('; the newest %d are listed'):format(page) or ''))
end

return M
