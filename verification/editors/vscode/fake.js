// The module `vscode` as far as the extension uses it. As in VS Code, the text is in another process than
// the extension: what happens to it comes later, as events in their order, and an edit of the extension
// applies only if the text still has the version that the extension saw.
"use strict"

const { EventEmitter } = require("events")

let latency = () => 0
let queue = Promise.resolve()
const later = (work) => new Promise((done) => setTimeout(() => done(work()), latency()))
// In order.
const toExtension = (work) => (queue = queue.then(() => later(work)))

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character })
  }

  isEqual(other) {
    return this.line === other.line && this.character === other.character
  }
}

class Range {
  constructor(start, end, endLine, endCharacter) {
    this.start = endLine === undefined ? start : new Position(start, end)
    this.end = endLine === undefined ? end : new Position(endLine, endCharacter)
  }
}

class Selection extends Range {
  constructor(anchor, active) {
    super(anchor, active)
    Object.assign(this, { anchor, active })
  }
}

const EndOfLine = { LF: 1, CRLF: 2 }
const events = new EventEmitter()
const on = (name) => (listener) => {
  events.on(name, listener)
  return { dispose() {} }
}
const fire = (name, what) => events.emit(name, what)

function offsetAt(text, { line, character }) {
  let at = 0
  for (; line > 0; line -= 1) at = text.indexOf("\n", at) + 1
  return at + character
}

function positionAt(text, offset) {
  const lines = text.slice(0, offset).split("\n")
  return new Position(lines.length - 1, lines.at(-1).length)
}

// What the extension sees of a document.
class Document {
  constructor(uri, text, isDirty) {
    Object.assign(this, { uri, text, version: 1, isDirty, isClosed: false, languageId: "markdown" })
    this.eol = text.includes("\r\n") ? EndOfLine.CRLF : EndOfLine.LF
  }

  getText() {
    return this.text
  }
}

// A text in the process of the window, with its caret and its undo steps.
class Model {
  constructor(document) {
    Object.assign(this, { document, text: document.text, version: 1, caret: 0, steps: [], isDirty: document.isDirty, pending: 0, eol: document.eol })
  }

  // `edits` are [start, end, text, pushes], sorted. VS Code makes line ends alike.
  change(edits, reason) {
    const end = this.eol === EndOfLine.CRLF ? "\r\n" : "\n"
    const before = this.text
    if (!reason) this.steps.push(before)
    const contentChanges = edits.map(([start, stop, put]) => ({
      range: new Range(positionAt(before, start), positionAt(before, stop)), rangeOffset: start, rangeLength: stop - start,
      text: put.replace(/\r\n?|\n/g, end),
    })).reverse()
    contentChanges.forEach(({ rangeOffset, rangeLength, text }, index) => {
      this.text = this.text.slice(0, rangeOffset) + text + this.text.slice(rangeOffset + rangeLength)
      this.move(rangeOffset, rangeLength, text.length, edits[edits.length - 1 - index][3])
    })
    this.version += 1
    this.isDirty = true
    this.pending += 1
    const { text, version, document, eol } = this
    toExtension(() => {
      Object.assign(document, { text, version, eol, isDirty: true })
      this.pending -= 1
      fire("change", { document, contentChanges, reason })
    })
  }

  move(start, length, added, pushes) {
    if (this.caret > start + length || (this.caret === start + length && (length || pushes))) this.caret += added - length
    else if (this.caret > start) this.caret = start + Math.min(this.caret - start, added)
  }

  type(text) {
    this.change([[this.caret, this.caret, text, true]])
    toExtension(() => fire("selection", {}))
  }

  point(caret) {
    this.caret = caret
    toExtension(() => fire("selection", {}))
  }

  remove(length) {
    this.change([[this.caret, this.caret + length, ""]])
  }

  // Line ends as the user chooses them in the status bar.
  setEol(eol) {
    this.eol = eol
    this.change([[0, this.text.length, this.text]])
  }

  // The undo of the menu.
  undo() {
    const text = this.steps.pop()
    this.change([[0, this.text.length, text]], 1)
  }

  // An edit of the extension, for the version that it saw.
  tryEdit(version, edits) {
    return later(() => {
      const applies = version === this.version
      if (applies) this.change(edits)
      return toExtension(() => applies)
    })
  }
}

class Editor {
  constructor(model) {
    Object.assign(this, { model, document: model.document, decorations: new Map() })
  }

  edit(work) {
    const { text, version } = this.document
    const edits = []
    work({
      insert: (at, put) => edits.push([offsetAt(text, at), offsetAt(text, at), put, true]),
      replace: (range, put) => edits.push([offsetAt(text, range.start), offsetAt(text, range.end), put, false]),
    })
    return this.model.tryEdit(version, edits)
  }

  get selection() {
    const at = positionAt(this.model.text, Math.min(this.model.caret, this.model.text.length))
    return new Selection(at, at)
  }

  set selection({ active }) {
    this.model.caret = offsetAt(this.model.text, active)
  }

  setDecorations(kind, ranges) {
    this.decorations.set(kind, ranges)
  }
}

class Uri {
  constructor({ scheme, path }) {
    Object.assign(this, { scheme, path })
  }

  static from(parts) {
    return new Uri(parts)
  }

  toString() {
    return `${this.scheme}:${encodeURI(this.path)}`
  }
}

class WorkspaceEdit {
  edits = []

  replace(uri, range, text) {
    this.edits.push([uri, range, text])
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity })
  }
}

class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { title, kind })
  }
}

const failure = (code) => (what) => Object.assign(new Error(String(what)), { code })
const FileSystemError = {
  FileNotFound: failure("FileNotFound"), Unavailable: failure("Unavailable"), NoPermissions: failure("NoPermissions"),
}

class Emitter {
  event = () => ({ dispose() {} })
}

// What the user of this window did and saw.
const desk = {
  models: new Map(), messages: [], commands: new Map(), providers: {}, actions: undefined, marks: new Map(), status: {}, pick: undefined, input: undefined,
  settings: {},
  slow: (how) => (latency = how),
  model: (uri) => desk.models.get(String(uri)),
  // Opens a document as VS Code does: `kept` is a text from before a restart.
  async open(uri, kept) {
    const known = desk.models.get(String(uri))
    if (known) return known
    const provider = desk.providers[uri.scheme]
    const stat = await provider.stat(uri)
    const bytes = await provider.readFile(uri)
    const model = new Model(new Document(uri, kept ?? bytes.toString(), kept !== undefined))
    Object.assign(model, { stat, mtime: stat.mtime })
    desk.models.set(String(uri), model)
    workspace.textDocuments.push(model.document)
    await toExtension(() => fire("open", model.document))
    return model
  },
  async show(model) {
    const editor = new Editor(model)
    window.visibleTextEditors = window.visibleTextEditors.filter((each) => each.document.uri.scheme !== model.document.uri.scheme).concat(editor)
    window.activeTextEditor = editor
    fire("active", editor)
    return editor
  },
  // Saves as VS Code does, which refuses if the file seems newer.
  async save(model) {
    const provider = desk.providers.notesd
    const { uri } = model.document
    if ((await provider.stat(uri)).mtime > model.mtime) throw new Error("The content of the file is newer")
    const { version } = model
    await toExtension(() => {})                     // what was typed before is known there
    await provider.writeFile(uri, Buffer.from(model.text), { create: false, overwrite: true })
    model.mtime = (await provider.stat(uri)).mtime
    if (model.version === version) model.isDirty = model.document.isDirty = false
  },
  close(model) {
    desk.models.delete(String(model.document.uri))
    workspace.textDocuments.splice(workspace.textDocuments.indexOf(model.document), 1)
    window.visibleTextEditors = window.visibleTextEditors.filter((each) => each.model !== model)
    model.document.isClosed = true
    fire("close", model.document)
  },
}

const untitled = (content) => {
  const model = new Model(new Document(new Uri({ scheme: "untitled", path: `Untitled-${desk.models.size}` }), content, true))
  desk.models.set(String(model.document.uri), model)
  return model.document
}

const workspace = {
  textDocuments: [],
  getConfiguration: () => ({ get: (name) => desk.settings[name] }),
  registerFileSystemProvider: (scheme, provider) => (desk.providers[scheme] = provider),
  openTextDocument: async (what) => (what.content === undefined ? (await desk.open(what)).document : untitled(what.content)),
  applyEdit: ({ edits }) => {
    const model = desk.model(edits[0][0])
    const { text, version } = model.document
    return model.tryEdit(version, edits.map(([, range, put]) => [offsetAt(text, range.start), offsetAt(text, range.end), put, false]))
  },
  onDidOpenTextDocument: on("open"), onDidCloseTextDocument: on("close"), onDidChangeTextDocument: on("change"),
}

const say = async (message) => void desk.messages.push(message)
const window = {
  visibleTextEditors: [], activeTextEditor: undefined,
  showTextDocument: async (document) => desk.show(desk.model(document.uri)),
  showErrorMessage: say, showInformationMessage: say, setStatusBarMessage: say,
  showInputBox: async () => desk.input,
  createStatusBarItem: () => (desk.status = { show() {}, hide() {}, dispose() {} }),
  createTextEditorDecorationType: () => ({ dispose() {} }),
  createQuickPick: () => {
    const listeners = {}
    const hear = (name) => (listener) => (listeners[name] = listener)
    desk.pick = {
      items: [], selectedItems: [], show() {}, hide: () => listeners.hide(), dispose() {}, listeners,
      onDidChangeValue: hear("value"), onDidAccept: hear("accept"), onDidHide: hear("hide"),
    }
    return desk.pick
  },
  onDidChangeTextEditorSelection: on("selection"), onDidChangeActiveTextEditor: on("active"), onDidChangeVisibleTextEditors: on("visible"),
}

module.exports = {
  desk, workspace, window, Position, Range, Selection, EndOfLine, Uri, WorkspaceEdit, Diagnostic, CodeAction, FileSystemError, EventEmitter: Emitter,
  commands: { registerCommand: (name, command) => desk.commands.set(name, command) },
  languages: {
    registerCodeActionsProvider: (_, provider) => (desk.actions = provider),
    createDiagnosticCollection: () => ({ set: (uri, list) => desk.marks.set(String(uri), list), delete: (uri) => desk.marks.delete(String(uri)), dispose() {} }),
  },
  CodeActionKind: { QuickFix: "quickfix" }, DiagnosticSeverity: { Warning: 1 }, DecorationRangeBehavior: { ClosedClosed: 1 },
  StatusBarAlignment: { Left: 1 }, ViewColumn: { Beside: -2 }, FileType: { File: 1 }, FilePermission: { Readonly: 1 },
  ThemeColor: class {}, Disposable: class {},
}
