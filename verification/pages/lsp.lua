-- Drives the client of Neovim 0.7 and later for verification/pages/lsp.py, and writes what it found as JSON.
local folder, out = vim.env.LSP_FOLDER, vim.env.LSP_RESULT
local found = {}

local function finish()
  local file = assert(io.open(out, "w"))
  file:write(vim.json.encode(found))
  file:close()
  vim.cmd("qall!")
end

local function wait(what, holds)
  if not vim.wait(20000, holds, 20) then error("not in time: " .. what) end
end

local function main()
  local client
  local function open(name)
    vim.cmd("edit " .. vim.fn.fnameescape(folder .. "/" .. name))
    local buffer = vim.api.nvim_get_current_buf()
    if not client then
      client = vim.lsp.start_client({
        name = "notesd", cmd = { vim.env.LSP_NOTESCTL, "lsp" }, root_dir = folder, offset_encoding = "utf-16",
      })
    end
    vim.lsp.buf_attach_client(buffer, client)
    wait("the server", function() return vim.lsp.buf_is_attached(buffer, client) and vim.lsp.get_client_by_id(client).initialized end)
    return buffer
  end
  local function ask(buffer, method, line, column, character)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local params = vim.lsp.util.make_position_params(0, "utf-16")
    -- A cursor is on a character in normal mode, and a user types behind it.
    if character then params.position.character = character end
    params.context = { includeDeclaration = false }
    local answers = assert(vim.lsp.buf_request_sync(buffer, method, params, 20000))
    return answers[client].result
  end
  local function messages(buffer)
    local list = {}
    for _, item in ipairs(vim.diagnostic.get(buffer)) do table.insert(list, item.message) end
    return list
  end
  local function place(location) return { vim.uri_to_fname(location.uri), location.range.start.line, location.range.start.character } end

  local home = open("home.md")
  local definition = place(ask(home, "textDocument/definition", 1, 8))
  found.definition = { definition[1], definition[2] }
  found.hover = ask(home, "textDocument/hover", 1, 8).contents.value
  wait("the missing note", function() return #messages(home) == 1 end)
  found.missing = messages(home)

  -- Completion, inserted as Neovim inserts it.
  vim.api.nvim_buf_set_lines(home, 1, 1, false, { "[[two" })
  local list = ask(home, "textDocument/completion", 2, 4, 5)
  found.completion = vim.tbl_map(function(item) return item.label end, list.items)
  vim.lsp.util.apply_text_edits({ list.items[1].textEdit }, home, "utf-16")
  found.completed = vim.api.nvim_buf_get_lines(home, 1, 2, false)[1]

  found.references = vim.tbl_map(place, ask(home, "textDocument/references", 1, 0))

  -- The action on the missing note, as a user chooses it.
  local actions = vim.lsp.buf_request_sync(home, "textDocument/codeAction", {
    textDocument = vim.lsp.util.make_text_document_params(home),
    range = vim.lsp.util.make_given_range_params({ 1, 40 }, { 1, 40 }, home, "utf-16").range,
    context = { diagnostics = {} },
  }, 20000)[client].result
  local command = type(actions[1].command) == "table" and actions[1].command or actions[1]
  vim.lsp.buf_request_sync(home, "workspace/executeCommand", { command = command.command, arguments = command.arguments }, 20000)
  wait("no missing note", function() return #messages(home) == 0 end)
  found.missing_after = messages(home)

  local plan = open("work/plan.md")
  local symbols = ask(plan, "textDocument/documentSymbol", 1, 0)
  found.symbols = { symbols[1].name, symbols[1].children and symbols[1].children[1].name or symbols[2].name }

  -- A conflict, while the buffer has two lines that are not saved.
  local conflicted = open("work/conflicted.md")
  vim.o.autoread = false
  vim.api.nvim_buf_set_lines(conflicted, 0, 0, false, { "not", "saved" })
  assert(io.open(out .. ".ready", "w")):close()
  wait("the conflict", function() return #vim.diagnostic.get(conflicted) == 1 end)
  found.conflict = vim.tbl_map(function(item) return { item.lnum, item.severity == 2 and 1 or 0 } end, vim.diagnostic.get(conflicted))
  found.modified = vim.bo[conflicted].modified

  -- The rename of a closed note, in an unsaved buffer.
  local opened = open("opened.md")
  vim.api.nvim_buf_set_lines(opened, 0, 0, false, { "unsaved 𝄞 [[spare]]" })
  vim.api.nvim_win_set_cursor(0, { 2, 8 })
  vim.lsp.buf.rename("renamed")
  wait("the rename", function() return vim.api.nvim_buf_get_lines(opened, 1, 2, false)[1]:find("renamed") ~= nil end)
  found.renamed = vim.api.nvim_buf_get_lines(opened, 0, -1, false)
end

vim.o.hidden = true
vim.schedule(function()
  local done, fault = pcall(main)
  if not done then found.error = tostring(fault) end
  finish()
end)
