// Runs the extension in the module of fake.js, and lets a test drive it as verification/editors/README.md
// describes. Typed text goes through the window's text, key by key.
"use strict"

const net = require("net")
const path = require("path")
const Module = require("module")

const fake = path.join(__dirname, "fake.js")
const resolve = Module._resolveFilename
Module._resolveFilename = (name, ...rest) => (name === "vscode" ? fake : resolve.call(Module, name, ...rest))

const vscode = require(fake)
const { desk } = vscode
const folder = path.join(__dirname, "..", "..", "..", "editors", "vscode")
const extension = require(path.join(folder, "extension.js"))
for (const [name, setting] of Object.entries(require(path.join(folder, "package.json")).contributes.configuration.properties)) {
  desk.settings[name.replace("notesd.", "")] = setting.default
}
desk.slow(() => Math.random() * 4)

// How often the extension took an edit, and did not.
const counts = { accept: 0, decline: 0 }
const { Buffer: HostBuffer } = require(path.join(folder, "attach.js"))
for (const name of Object.keys(counts)) {
  const method = HostBuffer.prototype[name]
  HostBuffer.prototype[name] = function (...words) {
    counts[name] += 1
    return method.apply(this, words)
  }
}

let model, note

const shown = () => (note?.buffer.lineEnds !== "crlf" ? model.text.replace(/\r\n/g, "\n") : model.text.replace(/\r?\n/g, "\r\n"))

// The offset in the window's text of one in bytes of the note; at the start of the character that contains it.
function offsetOf(bytes) {
  const [isCrlf, hasCr] = [note?.buffer.lineEnds === "crlf", model.text.includes("\r")]
  const sizeOf = (letter) => (letter === "\r" ? 0 : letter === "\n" && isCrlf ? 2 : Buffer.byteLength(letter))
  let [at, units] = [0, 0]
  for (const letter of model.text) {
    at += sizeOf(letter)
    if (at > bytes) break
    units += letter.length
  }
  // Between CR and LF is no place.
  return hasCr && model.text[units] === "\n" && model.text[units - 1] === "\r" ? units - 1 : units
}

const run = (name, ...words) => desk.commands.get(`notesd.${name}`)(...words)

async function find(name) {
  await run("open")
  const until = Date.now() + 20000
  while (Date.now() < until) {
    const item = desk.pick.items.find((each) => each.name === name)
    if (item) {
      desk.pick.selectedItems = [item]
      return desk.pick.listeners.accept()
    }
    if (desk.pick.items.some((each) => !each.id) || !desk.pick.busy) await run("open")
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error(`no note ${name} in ${JSON.stringify(desk.pick.items)}; ${desk.messages}`)
}

async function wait(holds, what) {
  const until = Date.now() + 20000
  while (!holds()) {
    if (Date.now() > until) throw new Error(`not in time: ${what}; ${desk.messages}`)
    await new Promise((done) => setTimeout(done, 5))
  }
}

// The note that an extension's editor shows now.
async function use(what) {
  const before = vscode.window.activeTextEditor
  await what()
  await wait(() => vscode.window.activeTextEditor && vscode.window.activeTextEditor !== before, "a document")
  model = vscode.window.activeTextEditor.model
  note = extension.noteOf(model.document)
  await wait(() => (note = extension.noteOf(model.document))?.isLive || note?.problem || model.stat.permissions, "the note")
  return true
}

const position = (at) => model.text.slice(0, at).split("\n")

const commands = {
  open: ({ note: name }) => use(() => find(name)),
  create: ({ note: name }) => {
    desk.input = name
    return use(() => run("new"))
  },
  today: () => use(() => run("today")),
  // As after a restart of VS Code, which had kept a text.
  restore: ({ note: id, kept }) => use(async () => desk.show(await desk.open(vscode.Uri.from({ scheme: "notesd", path: `/${id}/kept.md` }), kept))),
  text: () => shown(),
  state: () => {
    const lines = position(model.caret)
    return {
      text: shown(), version: note?.buffer.shown ?? null, status: note?.word() ?? "", modified: model.isDirty,
      settled: Boolean(note?.isLive && note.word() === "saved" && !note.taking && !note.isBusy && !model.pending && model.document.text === model.text),
      row: lines.length - 1, col: Buffer.byteLength(lines.at(-1)), bar: desk.status.text, readOnly: Boolean(model.stat.permissions),
    }
  },
  async insert({ at, text }) {
    model.caret = offsetOf(at)
    for (const letter of text) {
      model.type(letter)
      await new Promise((done) => setTimeout(done, Math.random() * 3))
    }
    return true
  },
  // Types where the caret is.
  async type({ text, pause }) {
    for (const letter of text) {
      model.type(letter)
      await new Promise((done) => setTimeout(done, Math.random() * (pause ?? 3)))
    }
    return true
  },
  // A character; or `end of TEXT`, which goes to the end of the first line with it.
  keys({ keys }) {
    const label = keys.match(/^end of (.*)/s)?.[1]
    if (label === undefined) model.type(keys)
    else model.caret = model.text.indexOf("\n", model.text.indexOf(label))
    return true
  },
  go: ({ at }) => {
    model.point(offsetOf(at))
    return true
  },
  delete: ({ text }) => {
    const at = model.text.indexOf(text)
    if (at < 0) return false
    model.caret = at
    model.remove(text.length)
    return true
  },
  async step(what) {
    await wait(() => !model.pending, "events")
    const { text } = note.buffer
    await run(what)
    await wait(() => !model.pending && !note.taking, "the step")
    return note.buffer.text !== text
  },
  undo: () => commands.step("undo"),
  redo: () => commands.step("redo"),
  crlf: () => {
    model.setEol(vscode.EndOfLine.CRLF)
    return true
  },
  menuUndo: () => {
    model.undo()
    return true
  },
  save: () => desk.save(model).then(() => ({ durable: true, message: "" }), (error) => ({ durable: false, message: error.message })),
  log: () => desk.messages.map((message) => ({ message })),
  hide: () => {
    vscode.window.visibleTextEditors = []
    return true
  },
  close: () => {
    desk.close(model)
    return true
  },
  others: () => Object.values([...desk.models.values()].filter((each) => each.document.uri.scheme === "untitled").map((each) => each.text)),
  counts: () => counts,
  people: () => note.others,
  carets: () => [...vscode.window.activeTextEditor.decorations.values()].flat(),
  marks: () => desk.marks.get(String(model.document.uri)) ?? [],
  async actions() {
    return (await desk.actions.provideCodeActions(model.document, undefined, { diagnostics: commands.marks() })).map(({ title, command }) => ({ title, command }))
  },
  // Runs the code action with this title.
  async act({ title }) {
    const action = (await commands.actions()).find((each) => each.title.startsWith(title))
    if (action) await run(action.command.command.replace("notesd.", ""), ...action.command.arguments)
    return Boolean(action)
  },
  // From now on, what happens in the window reaches the extension after up to so many milliseconds.
  slow: ({ ms }) => {
    desk.slow(() => Math.random() * ms)
    return true
  },
  // VS Code tells the extension to end on the channel of its events, so after them.
  async quit() {
    await wait(() => !model?.pending, "events")
    await extension.deactivate()
    setTimeout(() => process.exit(0), 50)
    return true
  },
}

extension.activate({ subscriptions: [] })
let rest = ""
const socket = net.connect(process.env.NOTESD_TEST_DRIVER)
socket.setEncoding("utf8").on("data", (data) => {
  const lines = (rest + data).split("\n")
  rest = lines.pop()
  for (const line of lines) {
    const command = JSON.parse(line)
    Promise.resolve().then(() => commands[command.do](command)).then(
      (value) => socket.write(JSON.stringify({ id: command.id, value: value ?? null }) + "\n"),
      (error) => socket.write(JSON.stringify({ id: command.id, failure: error.stack }) + "\n"))
  }
})
socket.on("close", () => process.exit(0))
