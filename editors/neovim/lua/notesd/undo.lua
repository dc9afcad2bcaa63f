--- One's own undo in a text that others change too.
---
--- Every own edit is kept with what takes it back. What others do in between is noted beside the newest entry, and carried down when
--- that entry is taken: so an entry is always transformed over exactly what came after it, and taking it back leaves alone what others
--- wrote. The cost of others' edits is paid when somebody undoes.
---
--- The law: after own edits and others' in any order, undoing all own ones leaves the text as the others' edits alone would have made
--- it, where they did not touch each other; and redoing all of them leads back.

local edits = require('notesd.edits')

local Undo = {}
Undo.__index = Undo

--- How many own edits can be taken back. Older ones are forgotten.
local entries_max = 10000

function Undo.new()
  return setmetatable({ back = {}, forth = {}, group = 0 }, Undo)
end

--- The next own edit begins a new step.
function Undo:boundary()
  self.group = self.group + 1
end

--- Whether `inverse` goes on typing where `top` stopped: both take back an insertion, one behind the other.
local function goes_on(top, inverse)
  if #inverse ~= 1 or #top.edits ~= 1 or #top.after > 0 then
    return false
  end
  local before, now = top.edits[1], inverse[1]
  return before.text == '' and now.text == '' and now.start == before.stop
end

--- An own edit was made: `made` on `text`.
function Undo:own(text, made)
  if #made == 0 then
    return
  end
  local inverse, top = edits.invert(text, made), self.back[#self.back]
  self.forth = {}
  if top and top.group == self.group and goes_on(top, inverse) then
    top.edits[1].stop = inverse[1].stop
    return
  end
  self.back[#self.back + 1] = { group = self.group, edits = inverse, after = {} }
  if #self.back > entries_max then
    table.remove(self.back, 1)
  end
end

--- Others changed the text.
function Undo:remote(made)
  for _, stack in ipairs({ self.back, self.forth }) do
    if #stack > 0 and #made > 0 then
      table.insert(stack[#stack].after, made)
    end
  end
end

--- Takes the newest entry off a stack: its edits, for the text as it is now.
local function take(stack)
  local entry = table.remove(stack)
  local below = stack[#stack]
  local made = entry.edits
  for _, other in ipairs(entry.after) do
    local next_made = edits.transform(made, other, true)
    if below then
      table.insert(below.after, edits.transform(other, made, false))
    end
    made = next_made
  end
  return made, entry.group
end

--- Moves one step from a stack to the other. Calls `apply(edits)`, which makes them and returns the text before.
local function move(from, to, apply)
  local top = from[#from]
  if not top then
    return false
  end
  repeat
    local made, group = take(from)
    local text = apply(made)
    to[#to + 1] = { group = group, edits = edits.invert(text, made), after = {} }
    local below = from[#from]
  until not below or below.group ~= group
  return true
end

--- Takes back the newest own step; false where there is none. `apply(edits)` makes edits and returns the text as it was before.
function Undo:undo(apply)
  self:boundary()
  return move(self.back, self.forth, apply)
end

--- Does again what was taken back last; false where there is nothing.
function Undo:redo(apply)
  self:boundary()
  return move(self.forth, self.back, apply)
end

return Undo
