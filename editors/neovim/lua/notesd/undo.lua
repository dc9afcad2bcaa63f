--- Undo of the user's own edits in a text that others change too.
---
--- Every own edit is kept as its inverse. Edits of others are attached to the newest entry, and
--- move down to the next entry when that one is taken. So every entry is transformed over exactly
--- the edits that came after it, and undoing it does not change what others wrote. Undoing pays the
--- cost of others' edits.
---
--- The law: after own edits and edits of others in any order, undoing all own edits gives the text
--- that the others' edits alone would have given, if the two did not touch each other; redoing all
--- leads back.

local edits = require('notesd.edits')

local Undo = {}
Undo.__index = Undo

--- Maximum number of own edits that can be undone. Older ones are forgotten.
local entries_max = 10000

function Undo.new()
  return setmetatable({ back = {}, forth = {}, group = 0 }, Undo)
end

--- Ends the current step: the next own edit begins a new one.
function Undo:boundary()
  self.group = self.group + 1
end

--- Whether `inverse` continues the typing of `top`: both undo an insertion, one directly after the
--- other.
local function goes_on(top, inverse)
  if #inverse ~= 1 or #top.edits ~= 1 or #top.after > 0 then
    return false
  end
  local before, now = top.edits[1], inverse[1]
  return before.text == '' and now.text == '' and now.start == before.stop
end

--- Records own edits `made` on `text`. `cursor` is the offset of the cursor before them, if it is
--- known.
function Undo:own(text, made, cursor)
  if #made == 0 then
    return
  end
  local inverse, top = edits.invert(text, made), self.back[#self.back]
  self.forth = {}
  if top and top.group == self.group and goes_on(top, inverse) then
    top.edits[1].stop = inverse[1].stop
    return
  end
  self.back[#self.back + 1] = { group = self.group, edits = inverse, after = {}, cursor = cursor }
  if #self.back > entries_max then
    table.remove(self.back, 1)
  end
end

--- Records edits of others.
function Undo:remote(made)
  for _, stack in ipairs({ self.back, self.forth }) do
    if #stack > 0 and #made > 0 then
      table.insert(stack[#stack].after, made)
    end
  end
end

--- Whether restored text comes before text that others inserted at the same place. Whole lines of
--- others come before a part of a line; otherwise they would split its line.
local function restored_first(restored, theirs)
  return theirs:sub(-1) ~= '\n' or restored:sub(-1) == '\n'
end

--- The opposite, for the edits of others.
local function not_restored_first(theirs, restored)
  return not restored_first(restored, theirs)
end

--- Pops the newest entry of a stack, with its edits and its cursor as they apply to the current text.
--- The cursor is an offset in the text without the entry's edits.
local function take(stack, is_back)
  local entry = table.remove(stack)
  local below = stack[#stack]
  local made, cursor = entry.edits, entry.cursor
  for _, other in ipairs(entry.after) do
    local next_made = edits.transform(made, other, restored_first)
    local is_moved = is_back and cursor ~= nil
    local next_other = (below or is_moved) and edits.transform(other, made, not_restored_first)
    if below then
      table.insert(below.after, next_other)
    end
    cursor = cursor and edits.position(cursor, is_moved and next_other or other)
    made = next_made
  end
  return { made = made, group = entry.group, cursor = cursor }
end

--- Moves one step from one stack to the other. `apply(edits)` applies edits and returns the text
--- before. Returns false if there is no step, else true and where the cursor was before the step was
--- made: an offset in the text without the step, or nil if it is not known.
local function move(from, to, apply, is_back)
  if #from == 0 then
    return false
  end
  local cursor
  repeat
    local entry = take(from, is_back)
    local text = apply(entry.made)
    to[#to + 1] = { group = entry.group, edits = edits.invert(text, entry.made), after = {}, cursor = entry.cursor }
    if is_back or cursor == nil then
      cursor = entry.cursor
    end
    local below = from[#from]
  until not below or below.group ~= entry.group
  return true, cursor
end

--- Undoes the newest own step, with the arguments and results of `move`.
function Undo:undo(apply)
  self:boundary()
  return move(self.back, self.forth, apply, true)
end

--- Redoes the step that was undone last, with the arguments and results of `move`.
function Undo:redo(apply)
  self:boundary()
  return move(self.forth, self.back, apply, false)
end

return Undo
