// A client of `notesctl attach --stdio`, as docs/attach.md describes it. It knows nothing of VS Code.
"use strict"

const { spawn } = require("child_process")
const { EventEmitter } = require("events")
const crypto = require("crypto")

const PAUSE_MAX_MS = 5000
const FAULTS_MAX = 3

// One code unit of a JavaScript string is one of UTF-16.
function applied(text, edits) {
  for (const [start, end, put] of [...edits].reverse()) text = text.slice(0, start) + put + text.slice(end)
  return text
}

// A UUID of version 7.
function newId() {
  const bytes = crypto.randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | (bytes[6] & 15)
  bytes[8] = 0x80 | (bytes[8] & 63)
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

// The process of the host. Starts it again when it ends. Emits `daemon` when the daemon goes or comes,
// and `trouble` with a sentence when the host cannot run.
class Host extends EventEmitter {
  // `command()` is the program with its arguments; `label` is the place, for people.
  constructor(command, label, client) {
    super()
    Object.assign(this, { command, label, client, buffers: new Map(), isUp: false, pause: 100, numbers: 0 })
  }

  start() {
    const [program, ...rest] = this.command()
    const host = spawn(program, rest, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    let line = []
    let isGone = false
    const gone = (problem) => {
      if (isGone) return
      isGone = true
      this.ended(problem && `${program} does not run: ${problem.message}`)
    }
    this.process = host
    this.requests = new Map()
    host.on("error", gone)
    host.on("close", () => gone())
    host.stdin.on("error", () => {})                // the host ended; its output ends, too
    host.stdout.setEncoding("utf8").on("data", (data) => {
      const [first, ...others] = data.split("\n")
      line.push(first)
      for (const next of others) {
        this.receive(JSON.parse(line.join("")))
        line = [next]
      }
    })
    const hello = { protocol: [1], client: this.client, label: this.label, positions: "utf-16" }
    this.request("attach.hello", this.writer ? { ...hello, writer: this.writer } : hello).then(
      (result) => this.daemon(result.daemon ? result : undefined),
      (error) => error.code && this.emit("trouble", error.message))
    for (const buffer of this.buffers.values()) if (buffer.isWanted) buffer.open()
  }

  ended(trouble) {
    this.process = undefined
    for (const buffer of this.buffers.values()) buffer.isOpen = false
    for (const { reject } of this.requests.values()) reject(new Error("notesctl ended"))
    this.daemon(undefined)
    if (trouble) this.emit("trouble", trouble)
    if (this.isEnding) return
    this.timer = setTimeout(() => this.start(), this.pause)
    this.pause = Math.min(2 * this.pause, PAUSE_MAX_MS)
  }

  // Ends the host, which closes all buffers; what is not saved becomes a draft.
  end() {
    this.isEnding = true
    clearTimeout(this.timer)
    if (!this.process) return Promise.resolve()
    return new Promise((done) => this.process.once("close", done).stdin.end())
  }

  send(message) {
    this.process?.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n")
  }

  // The result. An error has the `code` of the protocol; without a host, it has none.
  request(method, params) {
    return new Promise((resolve, reject) => {
      if (!this.process) return reject(new Error("notesctl does not run"))
      const id = ++this.numbers
      this.requests.set(id, { resolve, reject })
      this.send({ id, method, params })
    })
  }

  receive({ id, result, error, method, params }) {
    if (method === "attach.daemon") return this.daemon(params.up ? params : undefined)
    if (method) return this.buffers.get(params.buffer)?.receive(method, params)
    const request = this.requests.get(id)
    this.requests.delete(id)
    if (error) request?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else request?.resolve(result)
  }

  daemon(hello) {
    this.isUp = Boolean(hello)
    this.access = hello?.access ?? this.access
    if (hello) for (const buffer of this.buffers.values()) if (buffer.isAway) buffer.open()
    this.emit("daemon")
  }
}

// A note that is open in the host. `user` has the methods `offered(edit)`, `saved()`, `people(list)`,
// `state(members)`, `notice(text)` and `stopped(reason, parted)`.
class Buffer {
  constructor(host, subject, user) {
    Object.assign(this, { host, subject, user, number: ++host.numbers, isWanted: true, n: 0, faults: 0, openings: 0 })
    this.shown = this.saved = ""                    // versions: of the newest edit, of the newest saved
    host.buffers.set(this.number, this)
  }

  // Opens the note, or goes on with it. The result of the first opening; undefined if none came.
  async open() {
    const told = this.writer && this.text
    const opening = ++this.openings
    this.isOpen = this.isAway = false
    this.n = this.step = 0
    const age = this.since ? Math.floor((Date.now() - this.since) / 1000) : 0
    const resume = this.writer && { versions: `${this.shown} ${this.saved}`.trim(), writer: this.writer, text: told, age }
    try {
      const params = { buffer: this.number, ...this.subject, ...(resume && { resume }) }
      const result = await this.host.request("buffer.open", params)
      if (opening === this.openings) this.opened(result, told)
      return result
    } catch (error) {
      if (!this.writer) throw error
      if (opening !== this.openings || !error.code) return undefined   // a new host opens it again
      this.isAway = error.code === 7002             // attach.daemon will say when it is there
      if (!this.isAway) this.stop(error.message)
      return undefined
    }
  }

  opened(result, told) {
    if (result.parted) return this.stop("The daemon has another text, perhaps of a backup", result.parted)
    this.subject = { id: result.id }
    this.writer = this.host.writer = result.writer
    this.host.pause = 100
    this.shown = result.version
    this.isOpen = true
    this.lineEnds = result.lineEnds
    this.text ??= result.text
    if (result.draft) this.since ??= Date.now()     // the host sends what the daemon lacks
    if (told !== undefined && this.text !== told) this.tell({ text: this.text })
    this.user.state(result)
  }

  stop(reason, parted) {
    this.isOpen = this.isWanted = this.isAway = false
    this.user.stopped(reason, parted)
  }

  close() {
    this.isWanted = false
    this.host.buffers.delete(this.number)
    return this.isOpen ? this.host.request("buffer.close", { buffer: this.number }) : Promise.resolve({})
  }

  notify(method, params) {
    if (this.isOpen) this.host.send({ method, params: { buffer: this.number, ...params } })
  }

  request(method, params) {
    if (!this.isOpen) return Promise.reject(new Error("notesctl does not answer; the text is sent later"))
    return this.host.request(method, { buffer: this.number, ...params })
  }

  tell(what) {
    this.n += 1
    this.notify("buffer.change", { n: this.n, length: this.text.length, ...what })
  }

  // The user changed the text to `text`.
  change(edits, text, more) {
    this.text = text
    this.since ??= Date.now()
    if (this.isOpen) return this.tell({ edits, ...more })
    // The host makes a draft of a text that waits when it is asked to open it again.
    if (this.isAway) this.retry ??= setTimeout(() => {
      this.retry = undefined
      if (this.isAway) this.open()
    }, 1000)
    return undefined
  }

  // The editor shows the edit that was offered in the opening `opening`. If another opening is under way,
  // it was told the text without the edit: a new host gets both the text and the version of the edit.
  accept({ k, version, origin }, text, opening) {
    this.text = text
    this.shown = version
    if (origin === "undo" || origin === "redo") {   // the host writes it after this
      this.step = k
      this.since ??= Date.now()
    }
    if (opening === this.openings && this.isOpen) this.notify("buffer.accept", { k, n: this.n })
    else if (opening !== this.openings) this.host.process?.kill()
  }

  decline({ k }, isBusy) {
    this.notify("buffer.decline", { k, n: this.n, ...(isBusy && { busy: true }) })
  }

  receive(method, params) {
    if (method === "buffer.edit" && this.isOpen) this.user.offered(params)
    else if (method === "buffer.people") this.user.people(params.people)
    else if (method === "buffer.state") this.user.state(params)
    else if (method === "buffer.notice") this.user.notice(params.text)
    else if (method === "buffer.saved") {
      this.saved = params.version
      this.faults = 0
      if (params.n === this.n && params.k >= this.step) this.since = undefined
      this.user.saved()
    } else if (method === "buffer.fault") {
      this.faults += 1
      if (this.faults > FAULTS_MAX) this.stop(params.reason)
      else this.open()
    }
  }
}

module.exports = { Host, Buffer, applied, newId }
