--- Searches all notes into the quickfix list.

local client = require('notesd.client')

local M = {}

local limit = 100

--- Row and column, both from 1, of an offset in a text.
local function place_of(text, offset)
  local before = text:sub(1, offset)
  local _, rows = before:gsub('\n', '')
  return rows + 1, #before:match('[^\n]*$') + 1
end

--- Where what was found lies in the note: the snippet is a piece of the text, byte for byte.
local function item_of(hit)
  local name = hit.note.name or hit.note.id
  local first = hit.ranges[1]
  local offset = first and first.start or 0
  local row = place_of(hit.snippet, offset)
  local line = vim.split(hit.snippet, '\n', { plain = true })[row] or ''
  local err, result = client.ask('note.get', { id = hit.note.id })
  local start = not err and result.note.text and result.note.text:find(hit.snippet, 1, true)
  local col = 1
  row = 1
  if start then
    row, col = place_of(result.note.text, start - 1 + offset)
  end
  return { filename = 'notes://' .. name, lnum = row, col = col, text = line ~= '' and line or hit.note.title }
end

--- `:NotesSearch[!] query`: into the quickfix list, or with `use_location` into the window's location list.
function M.run(query, use_location)
  local err, result = client.ask('note.search', { query = query, limit = limit })
  if err then
    local place = err.data.offset and (' (at byte %d)'):format(err.data.offset) or ''
    client.tell(err.message .. place, vim.log.levels.ERROR)
    return
  elseif #result.hits == 0 then
    client.tell(('no note has %s'):format(query), vim.log.levels.WARN)
    return
  end
  local items = vim.tbl_map(item_of, result.hits)
  local what = { title = 'NotesSearch ' .. query, items = items }
  if use_location then
    vim.fn.setloclist(0, {}, ' ', what)
    vim.cmd('lopen')
  else
    vim.fn.setqflist({}, ' ', what)
    vim.cmd('copen')
  end
  if result.next then
    client.tell(('the best %d are shown; there are more'):format(#items))
  end
end

return M
