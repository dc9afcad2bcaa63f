--- Neovim's event loop, under the name that this Neovim has for it: 0.10 has `vim.uv`.

return vim.uv or vim.loop
