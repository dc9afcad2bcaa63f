--- Ids of new notes: UUIDs of version 7 (RFC 9562), which are the time in ms, then random bits.

local uv = require('notesd.uv')

local M = {}

function M.new()
  local seconds, microseconds = uv.gettimeofday()
  local ms = seconds * 1000 + math.floor(microseconds / 1000)
  local random = uv.random(10):gsub('.', function(byte)
    return ('%02x'):format(byte:byte())
  end)
  local variant = ('%x'):format(8 + tonumber(random:sub(4, 4), 16) % 4)
  local time = ('%08x-%04x'):format(math.floor(ms / 65536), ms % 65536)
  return ('%s-7%s-%s%s-%s'):format(time, random:sub(1, 3), variant, random:sub(5, 7), random:sub(8, 19))
end

function M.is_valid(text)
  return text:match('^%x%x%x%x%x%x%x%x%-%x%x%x%x%-7%x%x%x%-[89ab]%x%x%x%-%x%x%x%x%x%x%x%x%x%x%x%x$') ~= nil
end

return M
