--- A buffer that shows a note: finds what was typed in it, and applies the edits of others.
---
--- `lines` and `eol` are a copy of what the buffer showed when `capture` last examined it. Neovim's
--- `on_lines` says only which lines to examine again; comparing them with the copy gives what was typed.
--- Nothing else is reliable: `on_bytes` may run before the text changes.

local api = vim.api
local cursor = require('notesd.cursor')
local half_typed = require('notesd.half_typed')
local layout = require('notesd.layout')
local typed = require('notesd.typed')

local Buffer = {}
Buffer.__index = Buffer

--- Shows `text` in the buffer `handle` and follows what is typed there; with `is_dos`, lines end with
--- CR LF. Calls `on_typed()` soon after something was typed, and `on_found(edits, before)` with the edits
--- found and the place of the cursor before them, or nil.
function Buffer.new(handle, text, is_dos, on_typed, on_found)
  local self = setmetatable({}, Buffer)
  self.handle, self.is_dos, self.on_typed, self.on_found = handle, is_dos, on_typed, on_found
  self.lines, self.eol = layout.shown(layout.split(text))
  self.bytes = #text
  local options = vim.bo[handle]
  options.modifiable = true
  self:end_undo_entry()
  api.nvim_buf_set_lines(handle, 0, -1, false, self.lines)
  options.fileformat, options.endofline, options.modified = is_dos and 'dos' or 'unix', self.eol, false
  api.nvim_buf_attach(handle, false, {
    on_lines = function(_, _, _, first, last, last_new)
      return self:_lines_changed(first, last, last_new)
    end,
    on_reload = function()
      self:_all_changed()
    end,
    on_detach = function()
      self.closed = true
    end,
  })
  return self
end

--- Switches Neovim's undo off, which would also revert what others wrote
--- (docs/decisions/editors.md#0044), and ends the undo entry that the last change began.
function Buffer:end_undo_entry()
  vim.bo[self.handle].undolevels = -1
end

--- The text shown, with LF as line end.
function Buffer:text()
  return table.concat(layout.text(self.lines, self.eol), '\n')
end

--- The number of lines of the text.
function Buffer:_count()
  return #self.lines + (self.eol and 1 or 0)
end

-- Typed text.

function Buffer:_lines_changed(first, last, last_new)
  if self.closed then
    return true
  elseif self.applying then
    return nil
  end
  local dirty = self.dirty
  if dirty then
    local stop = math.max(dirty.stop + dirty.grown, last)
    dirty.start = math.min(dirty.start, first)
    dirty.stop, dirty.grown = stop - dirty.grown, dirty.grown + last_new - last
  else
    self.dirty = { start = first, stop = last, grown = last_new - last }
    self.cursor_before = cursor.before(self)
  end
  self:_soon()
end

function Buffer:_all_changed()
  self.dirty = { start = 0, stop = #self.lines, grown = 0, all = true }
  self:_soon()
end

function Buffer:_soon()
  if not self.is_scheduled then
    self.is_scheduled = true
    vim.schedule(function()
      self.is_scheduled = false
      if not self.closed and api.nvim_buf_is_valid(self.handle) then
        self.on_typed()
      end
    end)
  end
end

--- Examines all lines if the text has changed since the change number `tick`.
function Buffer:examine_since(tick)
  if tick and tick ~= api.nvim_buf_get_changedtick(self.handle) then
    self:_all_changed()
    self:capture()
  end
end

--- Finds what was typed.
function Buffer:capture()
  local eol = vim.bo[self.handle].endofline
  if not self.dirty and eol == self.eol then
    return
  end
  local count = api.nvim_buf_line_count(self.handle)
  local dirty = self.dirty or { start = 0, stop = 0, grown = 0, all = true }
  local cursor_before = self.cursor_before
  self.dirty, self.cursor_before = nil, nil
  local caret = api.nvim_get_current_buf() == self.handle and api.nvim_win_get_cursor(0) or nil
  caret = caret and { caret[1] - 1, caret[2] }
  local made, lines
  local function line(index)
    return self.lines[index + 1] or ''
  end
  if dirty.all or eol ~= self.eol or #self.lines + dirty.grown ~= count or dirty.stop > #self.lines
      or math.min(count, #self.lines) <= 2 then
    local old = layout.text(self.lines, self.eol)
    lines = api.nvim_buf_get_lines(self.handle, 0, -1, false)
    made = typed.replaced(function(index)
      return old[index + 1]
    end, #old, 0, #old, layout.text(lines, eol), caret)
  else
    local new = api.nvim_buf_get_lines(self.handle, dirty.start, dirty.stop + dirty.grown, false)
    made = typed.replaced(line, self:_count(), dirty.start, dirty.stop, new, caret)
    lines = layout.spliced(vim.list_extend({}, self.lines), dirty.start, dirty.stop, new)
  end
  local before = cursor_before and made[1] and cursor.at_start(cursor_before, line, made[1]) or nil
  self:_grow(made)
  self.lines, self.eol = lines, eol
  if #made > 0 then
    self.on_found(made, before)
  end
end

--- Counts the bytes of the text after edits.
function Buffer:_grow(made)
  for _, edit in ipairs(made) do
    self.bytes = self.bytes + #edit[3] - layout.between(self.lines, edit[1], edit[2])
  end
end

-- Edits of others.

--- Whether the text may change now: no command is half typed, and Neovim has not locked the text.
function Buffer:is_free()
  if half_typed.buffer() == self.handle then
    return false
  elseif self.is_block_insert and api.nvim_get_current_buf() == self.handle then
    return false
  end
  -- Fails if Neovim locks all text, as while it reads an expression.
  self.applying = true
  local options = vim.bo[self.handle]
  local is_modifiable, is_modified = options.modifiable, options.modified
  local ok = pcall(function()
    options.modifiable = true
    api.nvim_buf_set_text(self.handle, 0, 0, 0, 0, { '' })
    options.modified = is_modified
    options.modifiable = is_modifiable
  end)
  self.applying = false
  return ok
end

--- Applies edits to the buffer and the copy. Cursors stay on their text.
function Buffer:apply(made)
  self:_make(made)
end

--- Applies an undo or a redo, and puts the cursor where Neovim would: at `before`, if that is in the
--- lines that changed or next to them.
function Buffer:apply_step(made, before)
  if #made > 0 then
    self:_make(made)
    cursor.after_undo(self, before, cursor.rows(made))
  end
end

--- Applies edits as if they were typed here.
function Buffer:own(made)
  self:capture()
  self:_make(made)
  self.on_found(made)
  self:_soon()
end

function Buffer:_make(made)
  if #made == 0 then
    return
  end
  self:_grow(made)
  local changes, eol = layout.plan(self.lines, self.eol, made)
  local views = cursor.save(self, made)
  local options = vim.bo[self.handle]
  local is_modifiable = options.modifiable
  self.applying = true
  options.modifiable = true
  for _, change in ipairs(changes) do
    self:_change(change)
  end
  self.eol = eol
  if options.endofline ~= eol then
    options.endofline = eol
  end
  options.modifiable = is_modifiable
  self.applying = false
  cursor.restore(self, views)
end

--- Applies one change to the buffer and the copy, and ensures that both then have the same lines.
--- Before 0.8, Neovim may read the first line of a change over several lines from freed memory
--- (neovim#19643) if that line was changed last; reading another line first avoids this.
function Buffer:_change(change)
  local handle, row, to_row = self.handle, change[1], change[3]
  if row ~= to_row then
    api.nvim_buf_get_lines(handle, to_row, to_row + 1, false)
  end
  api.nvim_buf_set_text(handle, unpack(change))
  self.lines = layout.changed(self.lines, change)
  local stop = row + #change[5]
  local wanted = vim.list_slice(self.lines, row + 1, stop)
  if not vim.deep_equal(api.nvim_buf_get_lines(handle, row, stop, false), wanted) then
    api.nvim_buf_set_lines(handle, row, stop, false, wanted)
  end
end

return Buffer
