// A note and its document in VS Code.
//
// Others' text is applied with the version that the document has; VS Code refuses it if the user has typed
// meanwhile. The event of the document, which comes in the order of the changes, tells whether it was
// applied: a change that makes exactly the expected text is accepted, any other is what the user did.
"use strict"

const vscode = require("vscode")
const { Buffer, applied } = require("./attach")

const REST_MS = 1000
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\0/g

// What a note can have in place of a text of VS Code, with as many code units.
const clean = (text) => text.replace(LONE, "\ufffd")
const shownIn = (document) => clean(document.getText().replace(/\r\n?/g, "\n"))

// Whether VS Code shows a text as it is: it removes a byte order mark, and makes all line ends alike.
function isShowable(text) {
  return !text.startsWith("\ufeff") && (!text.includes("\r") || !/\r(?!\n)|(?<!\r)\n/.test(text))
}

// The one edit that makes `after` of `before`. It splits no pair of surrogates.
function difference(before, after) {
  const least = Math.min(before.length, after.length)
  let [head, tail] = [0, 0]
  while (head < least && before[head] === after[head]) head += 1
  if (/[\ud800-\udbff]/.test(before[head - 1] ?? "")) head -= 1
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  if (tail && /[\udc00-\udfff]/.test(before.at(-tail))) tail -= 1
  return [head, before.length - tail, after.slice(head, after.length - tail)]
}

// Where an offset is after edits; an insertion at it comes behind it.
function moved(at, edits) {
  let by = 0
  for (const [start, end, put] of edits) {
    if (end <= at && start < at) by += put.length - (end - start)
    else if (start < at) return start + by
  }
  return at + by
}

class Note {
  // `changed(note)` is called when what the editor shows about the note changes.
  constructor(host, subject, changed) {
    this.buffer = new Buffer(host, subject, this)
    this.changed = changed
    this.others = []
    this.conflicts = []
  }

  async open() {
    const result = await this.buffer.open().catch((error) => {
      this.close()
      throw error
    })
    if (!result || this.problem) throw new Error(this.problem ?? "notesctl ended")
    this.id = result.id
    return result
  }

  close() {
    clearTimeout(this.timer)
    return this.buffer.close().catch(() => ({}))
  }

  // Goes on with a document. One that VS Code kept over a restart may have an older text: the draft of the
  // host has all that was typed, so its text goes into the document, and the kept one into another.
  async adopt(document) {
    if (this.document === document) return
    this.document = document
    this.isLive = shownIn(document) === this.buffer.text
    if (!this.isLive && !document.isDirty) return this.stopped("VS Code reads another text, perhaps by the setting files.encoding")
    if (!this.isLive) {
      this.keep(document.getText(), "VS Code kept another text of this note; it is in the new document")
      while (!this.isLive && this.document === document) await this.apply([difference(shownIn(document), this.buffer.text)])
    }
    this.ready()
    this.changed(this)
  }

  async keep(content, why) {
    const other = await vscode.workspace.openTextDocument({ content, language: "markdown" })
    await vscode.window.showTextDocument(other, { preview: false, viewColumn: vscode.ViewColumn.Beside, preserveFocus: true })
    this.notice(why)
  }

  place(text, offset) {
    const lines = text.slice(0, offset).split("\n")
    return new vscode.Position(lines.length - 1, lines.at(-1).length)
  }

  range([start, end]) {
    return new vscode.Range(this.place(this.buffer.text, start), this.place(this.buffer.text, end))
  }

  // The offset of a position, in LF.
  offset({ line, character }) {
    let at = 0
    for (; line > 0; line -= 1) at = this.buffer.text.indexOf("\n", at) + 1
    return at + character
  }

  // What the user types

  onChange(event) {
    const { buffer, taking } = this
    const text = shownIn(this.document)
    if (!this.isLive) {
      this.isLive = text === buffer.text
      return
    }
    if (taking && text === taking.text) {
      this.taking = undefined
      this.typed = this.typed && { ...this.typed, at: moved(this.typed.at, taking.edit.edits) }
      this.follow(taking.edit.edits)
      buffer.accept(taking.edit, text, taking.opening)
      this.changed(this)
      return
    }
    if (text === buffer.text) return
    // In a document with CR LF, these offsets mean other places.
    let edits = event.contentChanges.map((each) => [each.rangeOffset, each.rangeOffset + each.rangeLength, clean(each.text)])
      .sort((one, other) => one[0] - other[0])
    if (applied(buffer.text, edits) !== text) edits = [difference(buffer.text, text)]
    buffer.change(edits, text, this.step(edits))
    this.follow(edits)
    if (event.reason) this.warnOfUndo()
    this.changed(this)
  }

  // Moves what is shown at places of the text, until the host reports it again.
  follow(edits) {
    const move = (places) => places && places.map((at) => moved(at, edits))
    this.conflicts = this.conflicts.map((each) => ({ ...each, range: move(each.range) }))
    this.others = this.others.map((each) => ({ ...each, at: move(each.at === null ? null : [each.at])?.[0] ?? null, selection: move(each.selection) }))
  }

  // To which undo step a change belongs: letters typed one after another, or removed, are one.
  step(edits) {
    const [[start, end, put]] = edits
    const isTyping = edits.length === 1 && put.length + end - start === 1 && put !== "\n"
    const joins = Boolean(isTyping && this.typed?.isTyping && this.typed.at === end && Date.now() - this.typed.time < 2 * REST_MS)
    this.typed = { at: start + put.length, time: Date.now(), isTyping }
    if (this.isBusy) this.rest()
    return { joins, ...(!joins && edits.length === 1 && { before: end }) }
  }

  // VS Code has one list of undo steps, in which others' text is, too.
  warnOfUndo() {
    if (this.isWarned) return
    this.isWarned = true
    this.notice("The undo of the menu takes back what others wrote, too. Ctrl+Z brings that back; it undoes your own changes only")
  }

  select(selection) {
    if (!this.isLive || shownIn(this.document) !== this.buffer.text) return
    const places = selection && [this.offset(selection.anchor), this.offset(selection.active)]
    this.buffer.notify("buffer.select", { n: this.buffer.n, selection: places ?? null })
  }

  // What others type

  async offered(edit) {
    const { buffer } = this
    if (!this.isLive || this.isAtCaret(edit)) return this.busy(edit)
    if (this.taking || edit.n !== buffer.n || shownIn(this.document) !== buffer.text) return buffer.decline(edit)
    const text = applied(buffer.text, edit.edits)
    if (text.length !== edit.length) return buffer.open()
    if (!isShowable(text)) return this.stopped("Somebody wrote a carriage return, which VS Code cannot show")
    if (text === buffer.text) return buffer.accept(edit, text, buffer.openings)
    const taking = { edit, text, opening: buffer.openings }
    this.taking = taking
    const isApplied = await this.apply(edit.edits)
    if (this.taking === taking) {                   // no event came: the document is as it was
      this.taking = undefined
      if (taking.opening === buffer.openings) buffer.decline(edit)
    } else if (isApplied && edit.selection && edit.origin !== "others") this.point(edit.selection)
    return undefined
  }

  // Whether the document has changed so, if no one else changed it meanwhile.
  async apply(edits) {
    const before = shownIn(this.document)
    const changes = edits.map(([start, end, put]) => [this.place(before, start), this.place(before, end), put])
    try {
      const editor = this.editor()
      if (editor) {
        const replace = (builder) => {
          for (const [start, end, put] of changes) {
            if (start.isEqual(end)) builder.insert(start, put)
            else builder.replace(new vscode.Range(start, end), put)
          }
        }
        return await editor.edit(replace, { undoStopBefore: false, undoStopAfter: false })
      }
      const all = new vscode.WorkspaceEdit()
      for (const [start, end, put] of changes) all.replace(this.document.uri, new vscode.Range(start, end), put)
      return await vscode.workspace.applyEdit(all)
    } catch {
      return false                                  // the editor was closed
    }
  }

  editor() {
    return vscode.window.visibleTextEditors.find((editor) => editor.document === this.document)
  }

  point([anchor, head]) {
    const editor = this.editor()
    if (!editor || shownIn(this.document) !== this.buffer.text) return
    editor.selection = new vscode.Selection(this.place(this.buffer.text, anchor), this.place(this.buffer.text, head))
  }

  // VS Code puts a caret behind what others insert at it, which would split a word that the user is typing.
  isAtCaret({ edits, origin }) {
    const { at, time } = this.typed ?? {}
    return (origin === "others") && Date.now() - (time ?? 0) < REST_MS && edits.some(([start, end]) => start <= at && at <= end)
  }

  busy(edit) {
    this.isBusy = true
    this.buffer.decline(edit, true)
    if (this.isLive) this.rest()
  }

  rest() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.ready(), REST_MS)
  }

  ready() {
    if (!this.isBusy || !this.isLive) return
    this.isBusy = false
    this.buffer.notify("buffer.ready", {})
  }

  // What the host reports

  saved() {
    this.changed(this)
  }

  people(list) {
    this.others = list
    this.changed(this)
  }

  state({ conflicts }) {
    if (conflicts) this.conflicts = conflicts
    this.changed(this)
  }

  notice(text) {
    vscode.window.showInformationMessage(`notesd: ${text}`)
  }

  // Nothing more is sent. The document keeps its text.
  stopped(reason, parted) {
    this.problem = reason
    this.isLive = false
    if (this.buffer.isOpen) this.close()
    vscode.window.showErrorMessage(`notesd: ${reason}. What you type here is not sent any more: copy it, and open the note again.`)
    if (parted) this.keep(parted.text, "The new document has the daemon's text")
    this.changed(this)
  }

  word() {
    if (this.problem) return "stopped"
    if (!this.buffer.isOpen || !this.buffer.host.isUp) return "offline"
    return this.buffer.since ? "sending" : "saved"
  }

  async undo(what) {
    const { done, bothKept } = await this.buffer.request(`buffer.${what}`, {})
    if (!done) vscode.window.setStatusBarMessage(`Nothing of yours to ${what}`, 3000)
    if (bothKept) this.notice("Somebody else changed the same lines; both texts are kept")
  }

  async save() {
    if (this.problem) throw new Error(this.problem)
    await this.buffer.request("buffer.save", {})
  }
}

module.exports = { Note, isShowable, difference }
