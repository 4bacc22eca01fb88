"""A real editor: Neovim with the set-up of docs/editors.md opens a file, shows the findings and applies a fix."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "editors.md"

USE = """\
local function wait(what)
  if not vim.wait(60000, what, 20) then print("nothing happened"); vim.cmd("cquit") end
end
wait(function() return #vim.diagnostic.get(0) == 2 end)
local found = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { line = each.lnum + 1, column = each.col + 1, message = each.message, source = each.source })
end
vim.api.nvim_win_set_cursor(0, { 4, 0 })
local params = vim.lsp.util.make_range_params(0, "utf-16")
params.context = { diagnostics = {} }
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000)) do
  for _, action in ipairs(answer.result) do
    if action.isPreferred then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
  end
end
wait(function() return #vim.diagnostic.get(0) == 1 end)
vim.cmd("write")
local file = io.open("found.json", "w")
file:write(vim.json and vim.json.encode(found) or vim.fn.json_encode(found))
file:close()
vim.cmd("quit")
"""

FILL = """\
import jax.numpy as jnp

x, s = jnp.zeros(3), "😀"
x[0] = s == "😀"
x[1] = 2
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed (Debian's package neovim)")
def test_neovim(tmp_path: Path) -> None:
    (setup,) = re.findall(r"```lua\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "init.lua").write_text(setup, encoding="utf-8")
    (tmp_path / "use.lua").write_text(USE, encoding="utf-8")
    (tmp_path / "fill.py").write_text(FILL, encoding="utf-8")
    (tmp_path / "jaxlint.toml").write_text("")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "jaxlint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxlint "$@"\n')
    (commands / "jaxlint").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "HOME": str(tmp_path),
        **{name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")},
    }
    run = subprocess.run(
        ["nvim", "--headless", "-n", "-u", "init.lua", "fill.py", "-c", "luafile use.lua"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert [(each["line"], each["column"], each["source"]) for each in found] == [(4, 1, "jaxlint"), (5, 1, "jaxlint")]
    assert "jax arrays are immutable" in found[0]["message"]
    assert (tmp_path / "fill.py").read_text(encoding="utf-8").splitlines()[3] == 'x = x.at[0].set(s == "😀")'
