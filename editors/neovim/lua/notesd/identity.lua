--- Unique names: ids of new notes, and `op` names of writes.

local uv = require('notesd.uv')

local M = {}

local function random_bytes(count)
  local ok, bytes = pcall(uv.random, count)
  if ok and bytes then
    return bytes
  end
  local parts = {}
  for index = 1, count do
    parts[index] = string.char(math.random(0, 255))
  end
  return table.concat(parts)
end

local function hex(bytes)
  return (bytes:gsub('.', function(byte)
    return ('%02x'):format(byte:byte())
  end))
end

--- A unique name for a write: 32 hexadecimal digits.
function M.op()
  return hex(random_bytes(16))
end

--- A UUID of version 7 (RFC 9562): the time in ms, then random bits.
function M.note_id()
  local seconds, microseconds = uv.gettimeofday()
  local ms = seconds * 1000 + math.floor(microseconds / 1000)
  local time = ('%08x%04x'):format(math.floor(ms / 65536), ms % 65536)
  local random = hex(random_bytes(10))
  local variant = ('%x'):format(8 + tonumber(random:sub(4, 4), 16) % 4)
  return table.concat({ time:sub(1, 8), time:sub(9, 12), '7' .. random:sub(1, 3), variant .. random:sub(5, 7), random:sub(8, 19) }, '-')
end

function M.is_note_id(text)
  return text:match('^%x%x%x%x%x%x%x%x%-%x%x%x%x%-7%x%x%x%-[89ab]%x%x%x%-%x%x%x%x%x%x%x%x%x%x%x%x$') ~= nil
end

return M
