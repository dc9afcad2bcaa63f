--- A buffer that shows a note: finds what was typed in it, and applies the edits of others.
---
--- `lines`, `shape` and `text` are a copy of what the buffer showed when `capture` last examined
--- it. Neovim's `on_lines` says only which lines to examine again; comparing them with the copy
--- gives what was typed. Nothing else is reliable: `on_bytes` may run before the text changes.

local api = vim.api
local cursor = require('notesd.cursor')
local diff = require('notesd.diff')
local edits = require('notesd.edits')
local half_typed = require('notesd.half_typed')
local layout = require('notesd.layout')
local Undo = require('notesd.undo')

local Buffer = {}
Buffer.__index = Buffer

--- Interval at which `when_free` checks whether the buffer may be changed.
local free_ms = 20

--- Shows `text` in the buffer `handle` and follows what is typed there. Calls `on_typed()` soon
--- after something was typed, and `on_found(edits)` with the edits found.
function Buffer.new(handle, text, on_typed, on_found)
  local self = setmetatable({}, Buffer)
  self.handle, self.on_typed, self.on_found = handle, on_typed, on_found
  self.undo = Undo.new()
  self.waiting = {}
  self:_fill(text)
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

function Buffer:_fill(text)
  local handle = self.handle
  self.lines, self.shape = layout.decode(text)
  self.text = text
  vim.bo[handle].modifiable = true
  self:end_undo_entry()
  api.nvim_buf_set_lines(handle, 0, -1, false, self.lines)
  self:_show_shape()
  vim.bo[handle].modified = false
end

--- Switches Neovim's undo off, which would also revert what others wrote (docs/decisions/editors.md#0044), and
--- ends the undo entry that the last change began.
function Buffer:end_undo_entry()
  vim.bo[self.handle].undolevels = -1
end

function Buffer:_show_shape()
  local options = vim.bo[self.handle]
  local format = self.shape.dos and 'dos' or 'unix'
  if options.fileformat ~= format then
    options.fileformat = format
  end
  if options.endofline ~= self.shape.eol then
    options.endofline = self.shape.eol
  end
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

--- The shape that the buffer's options say; it may differ from the copy's.
function Buffer:_shape_now()
  local options = vim.bo[self.handle]
  return { dos = options.fileformat == 'dos', eol = options.endofline }
end

--- The range of lines to compare: start, stop in the copy, stop in the buffer. These are the lines
--- that the hook named, so that what is found there is what was done to these lines, and not an
--- equal change of a line next to them. If the last line has no line end, a change at the end also
--- changes the line before.
function Buffer:_dirty_range()
  local dirty, count = self.dirty, api.nvim_buf_line_count(self.handle)
  local start, stop, grown = dirty.start, dirty.stop, dirty.grown
  if dirty.all or #self.lines + grown ~= count or stop > #self.lines or math.min(count, #self.lines) <= 1 then
    return 0, #self.lines, count
  elseif stop == #self.lines and not self.shape.eol and start > 0 then
    start = start - 1
  end
  return start, stop, stop + grown
end

--- Finds what was typed, records it for undo, and returns the text shown.
function Buffer:capture()
  local shape = self:_shape_now()
  local is_shape = shape.dos == self.shape.dos and shape.eol == self.shape.eol
  if not self.dirty and is_shape then
    return self.text
  elseif not self.dirty then
    self.dirty = { start = 0, stop = 0, grown = 0, all = true }
  end
  local start, stop, new_stop = self:_dirty_range()
  local new = api.nvim_buf_get_lines(self.handle, start, new_stop, false)
  local is_whole = not is_shape or #self.text <= 2 or (start == 0 and stop == #self.lines)
  local cursor_before = self.cursor_before
  self.dirty, self.cursor_before = nil, nil
  local made
  if is_whole then
    local lines = api.nvim_buf_get_lines(self.handle, 0, -1, false)
    made = diff.diff(self.text, layout.encode(lines, shape))
    self.lines, self.shape = lines, shape
  else
    made = self:_found(start, stop, new)
  end
  if #made > 0 then
    self.undo:own(self.text, made, cursor_before and cursor.at_start(cursor_before, self.text, made))
    self.text = edits.apply(self.text, made)
    self.on_found(made)
  end
  return self.text
end

--- The edits from lines `start` up to but not including `stop` of the copy to the lines `new` of
--- the buffer. Updates the copy's lines.
function Buffer:_found(start, stop, new)
  local line_end = layout.line_end(self.shape)
  local last_end = (stop < #self.lines or self.shape.eol) and line_end or ''
  local function text_of(lines)
    return #lines == 0 and '' or table.concat(lines, line_end) .. last_end
  end
  local offset = layout.offset(self.lines, self.shape, start)
  local made = diff.diff(text_of(vim.list_slice(self.lines, start + 1, stop)), text_of(new))
  for _, edit in ipairs(made) do
    edit.start, edit.stop = edit.start + offset, edit.stop + offset
  end
  self.lines = layout.spliced(self.lines, start, stop, new)
  return made
end

-- Edits of others.

--- Whether the text may change now: no command is half typed, and Neovim has not locked the text.
function Buffer:_is_free()
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

--- Calls `action` as soon as the text may be changed.
function Buffer:when_free(action)
  table.insert(self.waiting, action)
  if #self.waiting == 1 then
    self:_try_waiting()
  end
end

function Buffer:_try_waiting()
  if self.closed or not api.nvim_buf_is_valid(self.handle) then
    self.waiting = {}
  elseif not self:_is_free() then
    vim.defer_fn(function()
      self:_try_waiting()
    end, free_ms)
  else
    local waiting = self.waiting
    self.waiting = {}
    for _, action in ipairs(waiting) do
      action()
    end
  end
end

--- Applies edits of others, which apply to the text that `capture` returned last. Cursors stay on
--- their text, and undo does not revert these edits.
function Buffer:apply(made)
  self.undo:remote(made)
  self:_make(made, false)
end

--- Applies edits as if they were typed here: undo reverts them.
function Buffer:own(made)
  self.undo:boundary()
  self.undo:own(self:capture(), made)
  self:_make(made, true)
  self.undo:boundary()
  self:_soon()
end

--- Applies edits to the buffer and the copy. Cursors move along; `own` edits move the cursor to the
--- first of them.
function Buffer:_make(made, own)
  if #made == 0 then
    return
  end
  local after = edits.apply(self.text, made)
  local changes, shape = layout.plan(self.lines, self.shape, self.text, made, after)
  local views = cursor.save(self, made)
  local options = vim.bo[self.handle]
  local is_modifiable = options.modifiable
  self.applying = true
  options.modifiable = true
  for _, change in ipairs(changes) do
    self:_change(change)
  end
  self.shape, self.text = shape, after
  self:_show_shape()
  options.modifiable = is_modifiable
  self.applying = false
  cursor.restore(self, views, own and made[1].start or nil)
  if own then
    self.on_found(made)
  end
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

--- Undoes (`undo`) or redoes (`redo`) the user's newest own step; false if there is none.
function Buffer:take_back(what)
  self:capture()
  local first, last = math.huge, 0
  local before_all = { lines = vim.list_slice(self.lines, 1, #self.lines), shape = self.shape }
  local done, cursor_before = self.undo[what](self.undo, function(made)
    local before = self.text
    self:_make(made, true)
    local from, to = cursor.rows(self, made)
    first, last = math.min(first, from), math.max(last, to)
    return before
  end)
  if done then
    if cursor_before then
      cursor.after_undo(self, cursor.place(what == 'undo' and self or before_all, cursor_before), first, last)
    end
    self:_soon()
  end
  return done
end

return Buffer
