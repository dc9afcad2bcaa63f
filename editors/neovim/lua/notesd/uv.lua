--- Neovim's event loop: `vim.uv` since 0.10, `vim.loop` before.

return vim.uv or vim.loop
