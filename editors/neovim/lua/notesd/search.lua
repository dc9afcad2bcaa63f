--- Searches all notes into the quickfix list.

local client = require('notesd.client')

local M = {}

local limit = 100

--- A pattern that matches a text literally, whatever its line ends.
local function literally(text)
  return (vim.fn.escape(text, '\\/'):gsub('\r?\n', '\\r\\=\\n'))
end

--- The quickfix item of a hit. The snippet is an exact part of the text, so the item's pattern
--- finds it when the user opens the hit.
local function item_of(hit)
  local snippet, first = hit.snippet, hit.ranges[1]
  local start = first and first.start or 0
  local before, line = snippet:sub(1, start), snippet:sub(start + 1):match('^[^\r\n]*')
  local whole = before:match('[^\n]*$') .. line
  local item = { filename = 'notes://' .. (hit.note.name or hit.note.id), text = whole ~= '' and whole or hit.note.title }
  if first then
    item.pattern = '\\V\\C' .. literally(before) .. '\\zs' .. literally(line)
  else
    item.lnum = 1
  end
  return item
end

--- The lines of the list's window, without the patterns.
local function lines_of(info)
  local list = info.quickfix == 1 and vim.fn.getqflist({ id = info.id, items = 1 }) or
    vim.fn.getloclist(info.winid, { id = info.id, items = 1 })
  local lines = {}
  for index = info.start_idx, info.end_idx do
    local item = list.items[index]
    lines[#lines + 1] = ('%s| %s'):format(vim.fn.bufname(item.bufnr), vim.trim(item.text))
  end
  return lines
end

--- A pattern that matches a text exactly.
function M.exactly(text)
  return '\\V\\C' .. literally(text)
end

--- Shows items in the quickfix list, or with `use_location` in the window's location list.
function M.list(title, items, use_location)
  local what = { title = title, items = items, quickfixtextfunc = lines_of }
  if use_location then
    vim.fn.setloclist(0, {}, ' ', what)
    vim.cmd('lopen')
  else
    vim.fn.setqflist({}, ' ', what)
    vim.cmd('copen')
  end
end

--- `:NotesSearch[!] query`: fills the quickfix list, or with `use_location` the window's location
--- list.
function M.run(query, use_location)
  local err, result = client.ask('note.search', { query = query, limit = limit })
  if err then
    local place = err.data.offset and (' (at byte %d)'):format(err.data.offset) or ''
    client.tell(err.message .. place, vim.log.levels.ERROR)
    return
  elseif #result.hits == 0 then
    client.tell(('no note matches %s'):format(query), vim.log.levels.WARN)
    return
  end
  local items = vim.tbl_map(item_of, result.hits)
  M.list('NotesSearch ' .. query, items, use_location)
  if result.next then
    client.tell(('the best %d are shown; there are more'):format(#items))
  end
end

return M
