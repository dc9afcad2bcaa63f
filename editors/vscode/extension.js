// Notes of a notesd daemon as documents `notesd:/ID/NAME.md`.
"use strict"

const os = require("os")
const vscode = require("vscode")
const { Host, newId } = require("./attach")
const { Note, isShowable } = require("./note")
const { Show, Sides } = require("./show")

const SCHEME = "notesd"
// A note that only some program read is closed after this time.
const UNUSED_MS = 10000
const idOf = (uri) => uri.path.split("/")[1]
const uriOf = (id, name) => vscode.Uri.from({ scheme: SCHEME, path: `/${id}/${name ?? "without a name"}.md` })
const settings = () => vscode.workspace.getConfiguration("notesd")

let notes                                           // the open notes, by id: promises of them
let live                                            // those that are open, by id
let host, show

const noteOf = (document) => (document?.uri.scheme === SCHEME ? live.get(idOf(document.uri)) : undefined)

function changed(note) {
  show.note(note)
  show.word(host.trouble)
}

function started() {
  if (!host.process && !host.timer) host.start()
}

// Opens a note in the host. The second caller waits for the first.
function opened(id, subject) {
  started()
  if (!notes.has(id)) {
    const note = new Note(host, subject, changed)
    const opening = note.open().then((result) => {
      if (note.id !== id) notes.delete(id)          // a note with the name existed
      if (note.id !== id && notes.has(note.id)) return note.close().then(() => notes.get(note.id))
      notes.set(note.id, opening)
      live.set(note.id, note)
      note.uri = uriOf(note.id, result.name)
      setTimeout(() => !note.document && live.get(note.id) === note && forget(note.id), UNUSED_MS)
      return note
    })
    notes.set(id, opening)
    opening.catch(() => notes.delete(id))
  }
  return notes.get(id)
}

function forget(id) {
  const note = live.get(id)
  notes.delete(id)
  live.delete(id)
  if (note?.document) show.forget(note.document.uri)
  return note?.close()
}

// A request for which the daemon must answer, as VS Code wants errors of files.
async function ask(work, uri) {
  try {
    return await work()
  } catch (error) {
    if (error.code === 2001) throw vscode.FileSystemError.FileNotFound(uri)
    throw vscode.FileSystemError.Unavailable(host.trouble ?? error.message)
  }
}

// VS Code asks for the text of a document once, and writes it when the user saves. The time of a note is
// always the same, because VS Code refuses to save what is newer on disk than when it was read.
class Files {
  constructor() {
    this.onDidChangeFile = new vscode.EventEmitter().event
  }

  async stat(uri) {
    const note = live.get(idOf(uri))
    started()
    const text = note ? note.buffer.text : (await ask(() => host.request("note.get", { id: idOf(uri) }), uri)).note.text
    const isReadOnly = host.access === "read" || !isShowable(text)
    return {
      type: vscode.FileType.File, ctime: 0, mtime: 1, size: Buffer.byteLength(text),
      ...(isReadOnly && { permissions: vscode.FilePermission.Readonly }),
    }
  }

  async readFile(uri) {
    const id = idOf(uri)
    const text = live.get(id)?.buffer.text ?? (await ask(() => host.request("note.get", { id }), uri)).note.text
    if (!isShowable(text)) return Buffer.from(text)
    const note = await ask(() => opened(id, { id }), uri)
    if (note.document && note.document.uri.path !== uri.path) {
      throw vscode.FileSystemError.Unavailable(`This note is open as ${note.document.uri.path}`)
    }
    return Buffer.from(note.buffer.text)
  }

  async writeFile(uri) {
    const note = live.get(idOf(uri))
    if (!note?.document) throw vscode.FileSystemError.NoPermissions("Open the note to change it")
    await ask(() => note.save(), uri)
  }

  watch() {
    return new vscode.Disposable(() => {})
  }

  readDirectory() {
    return []
  }

  refuse() {
    throw vscode.FileSystemError.NoPermissions("Use notesctl to rename, delete or copy notes")
  }
}
for (const method of ["createDirectory", "delete", "rename"]) Files.prototype[method] = Files.prototype.refuse

// Documents

async function adopt(document) {
  if (document.uri.scheme !== SCHEME || document.isClosed) return
  const id = idOf(document.uri)
  try {
    await adoptOpen(document, live.get(id) ?? (await opened(id, { id })))
  } catch (error) {
    vscode.window.showErrorMessage(`notesd: ${error.message}. What you type here is not sent: close it and open it again.`)
  }
}

async function adoptOpen(document, note) {
  if (!isShowable(note.buffer.text)) return forget(note.id)
  return note.adopt(document)
}

// VS Code also reports a document as closed when its language changes.
function closed(document) {
  if (document.uri.scheme !== SCHEME) return
  setTimeout(() => {
    const isOpen = vscode.workspace.textDocuments.some((each) => each.uri.toString() === document.uri.toString())
    const note = noteOf(document)
    if (!isOpen && note && (!note.document || note.document === document)) forget(note.id)
  }, 500)
}

// Commands

async function showNote(uri) {
  const open = live.get(idOf(uri))?.document?.uri
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(open ?? uri), { preview: false })
}

async function create(name) {
  const id = newId()
  const note = await opened(id, { create: { id, name, text: "" } })
  return showNote(note.document?.uri ?? note.uri)
}

async function newNote() {
  const name = await vscode.window.showInputBox({ prompt: "Name of the note, such as work/plan; an existing one is opened" })
  return name ? create(name.trim()) : undefined
}

function today() {
  const now = new Date()
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, "0"))
  return create(`${settings().get("today")}${now.getFullYear()}-${month}-${day}`)
}

const itemOf = (note, detail) => ({
  label: note.name ?? (note.title || "(no name)"), description: note.name ? note.title : "", detail, id: note.id, name: note.name, alwaysShow: true,
})

// The newest notes, or those that a search finds.
async function found(query) {
  if (!query) return (await host.request("note.list", { order: "newest", limit: 100 })).notes.map((note) => itemOf(note))
  const { hits } = await host.request("note.search", { query, limit: 50 })
  return hits.map(({ note, snippet }) => itemOf(note, snippet.trim().replace(/\s+/g, " ").slice(0, 120)))
}

function open() {
  started()
  const pick = vscode.window.createQuickPick()
  pick.placeholder = "Words of a note, or nothing for the newest"
  let [searches, timer] = [0, undefined]
  const search = async (query) => {
    const number = ++searches
    pick.busy = true
    const items = await found(query).catch((error) => [{ label: host.trouble ?? error.message, alwaysShow: true }])
    if (number !== searches) return
    pick.busy = false
    const isNew = query && !items.some((item) => item.name === query)
    pick.items = isNew ? [...items, { label: `$(add) New note ${query}`, create: query, alwaysShow: true }] : items
  }
  pick.onDidChangeValue((value) => {
    clearTimeout(timer)
    timer = setTimeout(() => search(value.trim()), 150)
  })
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems
    pick.hide()
    if (item?.create) guarded(create)(item.create)
    else if (item?.id) guarded(showNote)(uriOf(item.id, item.name))
  })
  pick.onDidHide(() => pick.dispose())
  pick.show()
  search("")
}

// A command that shows its error.
const guarded = (command) => async (...words) => {
  try {
    return await command(...words)
  } catch (error) {
    vscode.window.showErrorMessage(`notesd: ${host.trouble ?? error.message}`)
    return undefined
  }
}

const active = () => noteOf(vscode.window.activeTextEditor?.document)

// The places of carets go to others at most ten times a second.
function followCarets() {
  let timer, last
  const tell = () => {
    const editor = vscode.window.activeTextEditor
    const note = noteOf(editor?.document)
    if (last && last !== note) last.select(null)
    last = note
    note?.select(editor.selection)
    timer = undefined
  }
  const soon = () => (timer ??= setTimeout(tell, 100))
  return [vscode.window.onDidChangeTextEditorSelection(soon), vscode.window.onDidChangeActiveTextEditor(() => {
    soon()
    show.word(host.trouble)
  })]
}

function activate(context) {
  notes = new Map()
  live = new Map()
  show = new Show(noteOf)
  const version = context.extension?.packageJSON.version ?? "0"
  host = new Host(() => settings().get("command"), `${os.hostname()}/vscode`, { name: "notesd-vscode", version })
  host.on("trouble", (trouble) => (host.trouble = trouble))
  host.on("daemon", () => {
    if (host.isUp) host.trouble = undefined
    show.word(host.trouble)
  })
  const commands = {
    open, new: newNote, today, undo: () => active()?.undo("undo"), redo: () => active()?.undo("redo"),
    resolve: (id, conflict, take) => live.get(id)?.buffer.request("buffer.resolve", { conflict, take }),
  }
  context.subscriptions.push(
    show, ...followCarets(),
    vscode.workspace.registerFileSystemProvider(SCHEME, new Files(), { isCaseSensitive: true }),
    vscode.languages.registerCodeActionsProvider({ scheme: SCHEME }, new Sides(noteOf)),
    vscode.workspace.onDidOpenTextDocument(adopt),
    vscode.workspace.onDidCloseTextDocument(closed),
    vscode.workspace.onDidChangeTextDocument((event) => {
      const note = noteOf(event.document)
      if (note?.document === event.document) note.onChange(event)
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => live.forEach((note) => show.note(note))),
    ...Object.entries(commands).map(([name, command]) => vscode.commands.registerCommand(`notesd.${name}`, guarded(command))))
  vscode.workspace.textDocuments.forEach(adopt)
}

const deactivate = () => host?.end()

module.exports = { activate, deactivate, noteOf }
