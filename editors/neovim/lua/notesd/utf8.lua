--- What may be sent: UTF-8 as RFC 3629 has it, without U+0000.

local M = {}

--- Ranges of the second byte where they are not 80..BF: no overlong forms, no surrogates, nothing past U+10FFFF.
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

--- The offset, from 0, of the first byte that may not be sent; nil where the whole text may.
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
