// What VS Code shows about notes: the word in the status bar, others' carets, conflicts.
"use strict"

const vscode = require("vscode")

const COLORS = ["charts.blue", "charts.orange", "charts.green", "charts.purple", "charts.red", "charts.yellow"]
const ICONS = { saved: "check", sending: "sync", offline: "cloud-offline", stopped: "error" }

// A label without the digits of its writer.
const placeOf = (label) => label.replace(/\/[0-9a-f]{8}$/, "")
const nameOf = ({ user, label }) => (label ? `${user} (${placeOf(label)})` : user)

function colorOf(person) {
  const sum = [...nameOf(person)].reduce((all, letter) => all + letter.codePointAt(0), 0)
  return new vscode.ThemeColor(COLORS[sum % COLORS.length])
}

class Show {
  // `noteOf(document)` is the note of a document.
  constructor(noteOf) {
    this.noteOf = noteOf
    this.status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 0)
    this.diagnostics = vscode.languages.createDiagnosticCollection("notesd")
    this.carets = vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed })
  }

  dispose() {
    for (const each of [this.status, this.diagnostics, this.carets]) each.dispose()
  }

  // The note in the active editor.
  word(trouble) {
    const note = this.noteOf(vscode.window.activeTextEditor?.document)
    if (!note) return this.status.hide()
    const word = note.word()
    this.status.text = `$(${ICONS[word]}) ${word}${note.others.length ? ` · ${note.others.length + 1} here` : ""}`
    this.status.tooltip = [note.problem ?? (word === "offline" ? trouble : undefined), ...note.others.map(nameOf)].filter(Boolean).join("\n")
    return this.status.show()
  }

  note(note) {
    if (!note.isLive) return
    this.diagnostics.set(note.document.uri, note.conflicts.map((conflict) => {
      const range = conflict.range ? note.range(conflict.range) : new vscode.Range(0, 0, 0, 0)
      const found = new vscode.Diagnostic(range, `Conflict of ${conflict.authors.map(placeOf).join(" and ")}`, vscode.DiagnosticSeverity.Warning)
      return Object.assign(found, { source: "notesd", code: conflict.id })
    }))
    const carets = note.others.filter((person) => person.at !== null).map((person) => ({
      range: note.range(person.selection ?? [person.at, person.at]),
      hoverMessage: nameOf(person),
      renderOptions: { after: { contentText: "▏" + person.user, color: colorOf(person), margin: "0 2px", fontStyle: "italic" } },
    }))
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === note.document) editor.setDecorations(this.carets, carets)
    }
  }

  forget(uri) {
    this.diagnostics.delete(uri)
  }
}

// The code actions on a conflict. Its sides are those that the daemon has now.
class Sides {
  constructor(noteOf) {
    this.noteOf = noteOf
  }

  async provideCodeActions(document, _, { diagnostics }) {
    const note = this.noteOf(document)
    const marked = diagnostics.filter((each) => each.source === "notesd")
    if (!note || !marked.length) return []
    const { conflicts } = (await note.buffer.host.request("note.get", { id: note.id })).note
    return marked.flatMap((diagnostic) => {
      const conflict = conflicts.find((each) => each.id === diagnostic.code)
      const sides = (conflict?.sides ?? []).filter((side) => side.author && !side.withdrawn)
      const action = (title, take) => {
        const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
        made.diagnostics = [diagnostic]
        made.command = { command: "notesd.resolve", title, arguments: [note.id, diagnostic.code, take] }
        return made
      }
      return [action("Keep both", "shown"), ...sides.map((side) => action(`Take ${nameOf(side.author)}'s`, side.dot))]
    })
  }
}

module.exports = { Show, Sides }
