/// A client that writes, based on versions that it has received: whole texts, edits, writes with an
/// empty base, renames, deletions, restorations, undos and redos. It also repeats writes with their
/// `op`, and sends requests that must be refused.
final class Writer: Client {
    struct Shown {
        let version: String
        let text: [UInt8]
    }

    /// The versions of each note that it has received, newest last.
    private(set) var shown: [String: [Shown]] = [:]
    /// The last revision that it wrote to each note, and the name of that write; nil if it had none.
    private var lastDots: [String: (dot: String, op: String?)] = [:]
    private var tokens = 0
    /// The notes that its watch has reported.
    private var heard: Set<String> = []
    /// Whether the writer has a watch. The watch of writer 0 echoes its own writes, that of writer
    /// 1 does not.
    var isWatching: Bool { number < 2 }

    /// Number of versions of a note that a writer remembers.
    private static let shownMax = 5

    /// The watch of writer 1 does not report its own presence, nor its own writes.
    override func isDeafTo(_ writer: Writer) -> Bool { number == 1 && writer === self }

    override func began() {
        guard isWatching else { return }
        call("notes.watch", "\"filter\":\(load.allOurs),\"echo\":\(number == 0),\"include\":\"text\"")
    }

    override func ended() { heard = [] }

    override func receivedNotification(_ method: String, _ params: Value) {
        if let cursor = params["cursor"]?.word { load.note(cursor: cursor) }
        if method == "note.changed", let id = params["note"]?["id"]?.word { heard.insert(id) }
    }

    override func hasHeard(of note: String) -> Bool { !isWatching || heard.contains(note) }

    func newToken() -> String {
        tokens += 1
        return Token.text(number, tokens)
    }

    /// A line that differs from all others.
    func newLine() -> String {
        newToken() + dice.pick(["", "", " é", " 🙂 e\u{301}", " 漢字", " #prove", " plain words"]) + "\n"
    }

    func remember(_ note: String, _ version: String, _ text: [UInt8]) {
        shown[note, default: []].append(Shown(version: version, text: text))
        if shown[note, default: []].count > Self.shownMax { shown[note]?.removeFirst() }
    }

    // MARK: Steps

    override func step() {
        guard load.isLoading, load.acknowledged < load.options.writes else { return }
        if let note = load.pool.next() { return create(note) }
        guard let note = load.pool.pick(&dice) else { return }
        guard let all = shown[note], let newest = all.last, !dice.chance(0.15) else { return read(note) }
        let base = dice.chance(0.6) ? newest : dice.pick(all)
        switch dice.below(100) {
        case ..<24: save(note, on: base)
        case ..<58: load.pool.isEdited(note) ? edit(note, on: base) : save(note, on: base)
        case ..<64: undo(note, on: base)
        case ..<67: save(note, on: Shown(version: "", text: []))
        case ..<71: rename(note, on: base)
        case ..<75: delete(note, on: base)
        case ..<77: write("note.save", note, base.version, "\"text\":\(quoted(base.text))", sent: base.text)
        case ..<81: sendAgain()
        case ..<83: twins(note, on: base)
        case ..<87: call("note.get", "\"id\":\"\(note)\",\"at\":\"\(base.version)\"")
        case ..<91: publish(note, on: base)
        case ..<93: call("note.list", "\"filter\":\(load.someOurs),\"limit\":1000")
        default: refused(note, on: base)
        }
        // A read that is sent before the response to the write.
        if dice.chance(0.3) { read(note) }
    }

    private func create(_ note: String) {
        let text = Array((newLine() + newLine()).utf8)
        let name = dice.chance(0.7) ? ",\"name\":\(quoted(newName()))" : ""
        let params = "\"text\":\(quoted(text)),\"id\":\"\(note)\"\(name),\"op\":\"\(load.newOp())\""
        call("note.create", params, op: true) { [unowned self] answer in
            guard case .result(let result) = answer, let made = result["note"], let version = made["version"]?.word else {
                return
            }
            load.wrote()
            if result["replayed"] == nil { remember(note, version, text) }
        }
    }

    func newName() -> String { "\(load.prefix)\(dice.pick(["a", "x"]))/\(newToken())" }

    func read(_ note: String) {
        let from = dice.chance(0.3) ? shown[note]?.last : nil
        let params = "\"id\":\"\(note)\"" + (from.map { ",\"from\":\"\($0.version)\"" } ?? "")
        call("note.get", params) { [unowned self] answer in
            guard case .result(let result) = answer, let got = result["note"], let version = got["version"]?.word else { return }
            if let text = got["text"]?.bytes {
                remember(note, version, text)
            } else if let from, let edits = got["edits"],
                let text = Splicing.apply(edits.elements.compactMap { Splicing.Edit($0) }, to: from.text, encoding)
            {
                remember(note, version, text)
            }
        }
    }

    // MARK: Writes

    /// Sends a write.
    ///
    /// - Parameter sent: the text that the write's own version must have; for an undo, the text of its
    ///   base.
    func write(_ method: String, _ note: String, _ base: String, _ what: String, sent: [UInt8], isUndo: Bool = false) {
        let op = dice.chance(0.6) ? load.newOp() : nil
        let params =
            "\"id\":\"\(note)\",\"base\":\"\(base)\"" + (what.isEmpty ? "" : "," + what) + (op.map { ",\"op\":\"\($0)\"" } ?? "")
        call(method, params, op: op != nil) { [unowned self] answer in
            guard case .result(let result) = answer else { return }
            load.wrote()
            if let op { load.answered(method, params, op) }
            let isDeleted = result["note"].map { $0["deleted"]?.flag == true } ?? (method == "note.delete")
            if isDeleted, number == 1 { forgetPresence(in: note) }
            answered(note, result, sent, op: op, isUndo: isUndo)
        }
    }

    private func answered(_ note: String, _ result: Value, _ sent: [UInt8], op: String? = nil, isUndo: Bool = false) {
        if let dot = result["dot"]?.word {
            lastDots[note] = (dot, op)
            if !isUndo { remember(note, dot, sent) }
        }
        guard let made = result["note"], let version = made["version"]?.word else { return }
        let edits = made["edits"]?.elements.compactMap { Splicing.Edit($0) }
        if let text = made["text"]?.bytes ?? edits.flatMap({ Splicing.apply($0, to: sent, encoding) }) {
            remember(note, version, text)
        }
    }

    private func save(_ note: String, on base: Shown) {
        let text = rewritten(base.text)
        write("note.save", note, base.version, "\"text\":\(quoted(text))", sent: text)
    }

    private func edit(_ note: String, on base: Shown) {
        let edits = edits(of: base.text)
        guard let text = Splicing.apply(edits, to: base.text, encoding) else { return }
        write("note.edit", note, base.version, "\"edits\":\(json(edits))", sent: text)
    }

    private func rename(_ note: String, on base: Shown) {
        let name = dice.chance(0.8) ? quoted(newName()) : "null"
        write("note.save", note, base.version, "\"name\":\(name)", sent: base.text)
    }

    private func delete(_ note: String, on base: Shown) {
        write("note.delete", note, base.version, "", sent: [])
    }

    /// Undoes the own last revision, or a newest revision of the base. The latter may be an undo, which
    /// makes this a redo. The daemon refuses revisions that the base does not include, and the
    /// creation.
    private func undo(_ note: String, on base: Shown) {
        let newest = base.version.split(separator: " ").map(String.init)
        let last = dice.chance(0.5) ? lastDots[note] : nil
        if let op = last?.op, dice.chance(0.5) {
            return write("note.undo", note, base.version, "\"ops\":[\"\(op)\"]", sent: base.text, isUndo: true)
        }
        var dots = [last?.dot ?? dice.pick(newest)]
        if dice.chance(0.2) { dots = newest }
        let list = dots.map { "\"\($0)\"" }.joined(separator: ",")
        write("note.undo", note, base.version, "\"revisions\":[\(list)]", sent: base.text, isUndo: true)
    }

    /// Saves the same text two or three times on one base. The text must appear once.
    private func twins(_ note: String, on base: Shown) {
        let text = rewritten(base.text)
        for _ in 0..<dice.pick([2, 3]) {
            call("note.save", "\"id\":\"\(note)\",\"base\":\"\(base.version)\",\"text\":\(quoted(text))") {
                [unowned self] answer in
                if case .result(let result) = answer { answered(note, result, text) }
            }
        }
    }

    /// Publishes that the writer has a note open at a version, with some lines selected, or with none;
    /// sometimes, that it has no note open.
    func publish(_ note: String, on base: Shown) {
        guard !dice.chance(0.1) else { return call("presence.set", "\"note\":null") }
        let lines = [0] + base.text.indices.filter { base.text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        let places = [dice.pick(lines), dice.pick(lines)].sorted().map { Splicing.count(base.text[..<$0], encoding) }
        let selection = dice.chance(0.8) ? "{\"start\":\(places[0]),\"end\":\(places[1])}" : "null"
        call("presence.set", "\"note\":\"\(note)\",\"version\":\"\(base.version)\",\"selection\":\(selection)")
    }

    /// Reads a note and publishes that it is open.
    func open(_ note: String) {
        call("note.get", "\"id\":\"\(note)\"") { [unowned self] answer in
            guard case .result(let result) = answer, let got = result["note"], let version = got["version"]?.word,
                let text = got["text"]?.bytes
            else { return }
            let end = Splicing.count(text, encoding)
            call(
                "presence.set",
                "\"note\":\"\(note)\",\"version\":\"\(version)\",\"selection\":{\"start\":\(end - 1),\"end\":\(end)}")
        }
    }

    /// Repeats a write that any writer got a response for.
    private func sendAgain() {
        guard !load.answeredOps.isEmpty else { return }
        let sent = dice.pick(load.answeredOps)
        call(sent.method, sent.params)
    }
}
