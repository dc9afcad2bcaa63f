--- Checks which text may be sent: UTF-8 as in RFC 3629, without U+0000.

local M = {}

--- Ranges of the second byte that differ from 80..BF. They exclude overlong forms, surrogates, and
--- characters beyond U+10FFFF.
local second = { [0xE0] = { 0xA0, 0xBF }, [0xED] = { 0x80, 0x9F }, [0xF0] = { 0x90, 0xBF }, [0xF4] = { 0x80, 0x8F } }

local function length_of(byte)
  if byte >= 0xC2 and byte <= 0xDF then
    return 2
  elseif byte >= 0xE0 and byte <= 0xEF then
    return 3
  elseif byte >= 0xF0 and byte <= 0xF4 then
    return 4
  end
  return nil
end

local function is_character(text, at, first)
  local length = length_of(first)
  if not length then
    return nil
  end
  local range = second[first] or { 0x80, 0xBF }
  for index = 1, length - 1 do
    local byte = text:byte(at + index)
    local low, high = 0x80, 0xBF
    if index == 1 then
      low, high = range[1], range[2]
    end
    if not byte or byte < low or byte > high then
      return nil
    end
  end
  return length
end

--- The offset, from 0, of the first byte that may not be sent; nil if the whole text is valid.
function M.first_bad(text)
  local at = 1
  while true do
    at = text:find('[%z\128-\255]', at)
    if not at then
      return nil
    end
    local length = is_character(text, at, text:byte(at))
    if not length then
      return at - 1
    end
    at = at + length
  end
end

return M
