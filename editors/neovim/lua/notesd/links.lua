--- Links between notes and to files: follows them, lists those to a note, and completes their targets.

local client = require('notesd.client')
local config = require('notesd.config')

local M = {}

local names_max = 100

--- The target of a wiki link without the shown text and the fragment.
local function wiki_target(inner)
  return vim.trim((inner:gsub('\\?|.*$', ''):gsub('#.*$', '')))
end

--- The target of a path link without the fragment and percent escapes.
local function path_target(written)
  local target = written:gsub('#.*$', ''):gsub('%%(%x%x)', function(digits)
    return string.char(tonumber(digits, 16))
  end)
  return target
end

--- The links in a line, in order, each with its first and its last byte. The daemon knows the exact
--- rules; these patterns find what a reader takes for a link.
function M.in_line(line)
  local links = {}
  for first, inner, last in line:gmatch('()%[%[([^%[%]]+)%]()%]') do
    links[#links + 1] = { kind = 'wiki', target = wiki_target(inner), first = first, last = last }
  end
  for first, written, last in line:gmatch('()%[[^%[%]]*%]%(<?([^%s()<>]+)>?[^()]*()%)') do
    local id = written:match('^note:(.*)$')
    if id then
      links[#links + 1] = { kind = 'id', target = id, first = first, last = last }
    elseif not written:match('^%a[%w+.-]+:') and not written:match('^//') then
      links[#links + 1] = { kind = 'path', target = path_target(written), first = first, last = last }
    end
  end
  table.sort(links, function(left, right)
    return left.first < right.first
  end)
  return vim.tbl_filter(function(link)
    return link.target ~= ''
  end, links)
end

--- The link at the cursor, or else the first one after it in its line; nil if there is none.
local function at_cursor()
  local column = vim.api.nvim_win_get_cursor(0)[2] + 1
  for _, link in ipairs(M.in_line(vim.api.nvim_get_current_line())) do
    if column <= link.last then
      return link
    end
  end
end

--- Runs another command of the program that speaks with the daemon. Returns its output without the
--- line feed at its end, or nil and the reason.
local function run(...)
  local given = config.get()
  local command = {}
  for _, word in ipairs(given.command) do
    if word == 'attach' then
      break
    end
    command[#command + 1] = word
  end
  if #command == #given.command then
    return nil, "the setting 'command' has no 'attach', so other commands cannot be run"
  end
  vim.list_extend(command, { ... })
  if given.socket then
    vim.list_extend(command, { '--socket', vim.fn.expand(given.socket) })
  end
  local ok, output = pcall(vim.fn.system, command)
  output = vim.trim(output)
  if not ok or vim.v.shell_error ~= 0 then
    return nil, output
  end
  return output
end

--- `:NotesPaste`: makes a file of the picture in the clipboard, and puts a link to it after the cursor.
function M.paste(note)
  local link, why = run('file', 'paste')
  if link then
    vim.api.nvim_put({ link }, 'c', true, true)
  else
    note:tell(why, vim.log.levels.ERROR)
  end
end

--- `:NotesFollow`: opens the note that a link means, or the file in the program for its type. `open` shows
--- the note with a name or an id.
function M.follow(note, open)
  local link = at_cursor()
  if not link then
    note:tell('there is no link at the cursor or after it in this line', vim.log.levels.WARN)
    return
  end
  local params = { targets = { { kind = link.kind, target = link.target } }, from = note.id }
  if client.can('files') then
    params.kind = 'any'
  end
  local err, result = client.ask('links.resolve', params)
  if err then
    note:tell(err.message, vim.log.levels.ERROR)
  elseif not result.found[1] or not result.found[1].notes[1] then
    note:tell(('no note has the name %s'):format(link.target), vim.log.levels.WARN)
  else
    local meaning = result.found[1].notes[1]
    if meaning.file then
      local _, why = run('file', 'open', meaning.id)
      if why then
        note:tell(why, vim.log.levels.ERROR)
      end
      return
    end
    -- CTRL-O returns to the link.
    vim.cmd("normal! m'")
    open(meaning.name or meaning.id)
  end
end

--- `:NotesBacklinks[!]`: the links in other notes that mean a note, in the quickfix list, or with
--- `use_location` in the window's location list.
function M.backlinks(note, use_location)
  local err, result = client.ask('links.to', { id = note.id, limit = names_max })
  if err then
    note:tell(err.message, vim.log.levels.ERROR)
    return
  elseif #result.links == 0 then
    note:tell('no other note has a link to this one')
    return
  end
  local search = require('notesd.search')
  local items = vim.tbl_map(function(link)
    return {
      filename = 'notes://' .. (link.note.name or link.note.id),
      text = link.snippet,
      pattern = search.exactly(link.snippet),
    }
  end, result.links)
  search.list('NotesBacklinks ' .. note:shown_name(), items, use_location)
  if result.next then
    note:tell(('the first %d links are shown; there are more'):format(#items))
  end
end

--- The 'omnifunc' of notes: completes the target after `[[`.
function M.complete(find_start, base)
  local before = vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])
  local start = before:match('.*%[%[()')
  if find_start == 1 then
    return start and not before:find(']]', start, true) and start - 1 or -3
  end
  local words = {}
  for _, name in ipairs(require('notesd.list').names('')) do
    if name:lower():find(base:lower(), 1, true) then
      words[#words + 1] = { word = name, icase = 1 }
      if #words == names_max then
        return { words = words, refresh = 'always' }
      end
    end
  end
  return words
end

return M
