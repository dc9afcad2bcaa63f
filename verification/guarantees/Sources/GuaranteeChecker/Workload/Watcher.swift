/// A client with a watch, which resumes from its last cursor after a loss.
class Watcher: Client {
    let params: String
    private(set) var cursor: String?
    /// The notes that the watch has reported.
    private(set) var heard: Set<String> = []
    private(set) var isSynced = false

    init(_ load: Workload, number: Int, _ encoding: Splicing.Encoding, params: String) {
        self.params = params
        super.init(load, number: number, encoding)
    }

    override func began() {
        isSynced = false
        let since = cursor.map { ",\"since\":\(quoted($0))" } ?? ""
        // With `since`, the daemon ignores `snapshot`.
        let params = cursor == nil ? params : params.replacing(",\"snapshot\":false", with: "")
        call("notes.watch", params + since) { [unowned self] answer in
            guard case .result(let result) = answer else { return }
            note(result["cursor"]?.word)
        }
    }

    override func receivedNotification(_ method: String, _ params: Value) {
        note(params["cursor"]?.word)
        if method == "watch.synced" { isSynced = true }
        if method == "note.changed", let id = params["note"]?["id"]?.word { heard.insert(id) }
    }

    private func note(_ cursor: String?) {
        guard let cursor else { return }
        self.cursor = cursor
        load.note(cursor: cursor)
    }

    override func hasHeard(of note: String) -> Bool { heard.contains(note) }
}

/// A watcher that stops reading for a while, again and again.
final class Sleeper: Watcher {
    private var untilWake = 0

    var isAsleep: Bool { wire?.isReading == false }

    override func step() {
        guard load.isLoading, isSynced, !isAsleep, dice.chance(0.3) else { return }
        untilWake = load.acknowledged + load.options.writes / 3 + dice.below(load.options.writes / 3 + 1)
        stopReading()
    }

    func wakeWhenItIsTime() {
        if isAsleep, load.isLoading, load.acknowledged >= untilWake { readAgain() }
    }
}

/// A client that resumes from any cursor that any client received, with varying filters.
final class Resumer: Client {
    private var synced: Set<Int> = []
    private var open: [Int] = []
    /// The notes that each watch has reported.
    private var heard: [Int: Set<String>] = [:]
    private var isStarting = false

    private static let openMax = 3

    override func ended() { (synced, open, heard, isStarting) = ([], [], [:], false) }

    override func receivedNotification(_ method: String, _ params: Value) {
        if let cursor = params["cursor"]?.word { load.note(cursor: cursor) }
        guard let watch = params["watch"]?.number else { return }
        if method == "watch.synced" { synced.insert(watch) }
        if method == "note.changed", let id = params["note"]?["id"]?.word { heard[watch, default: []].insert(id) }
    }

    override func hasHeard(of note: String) -> Bool { open.allSatisfy { heard[$0]?.contains(note) ?? false } }

    override var isSettled: Bool { super.isSettled && open.allSatisfy(synced.contains) }

    override func step() {
        guard load.isLoading, !isStarting, open.allSatisfy(synced.contains) else { return }
        if open.count >= Self.openMax || !open.isEmpty && dice.chance(0.6) {
            let watch = open.remove(at: dice.below(open.count))
            heard[watch] = nil
            return call("notes.unwatch", "\"watch\":\(watch)")
        }
        guard let cursor = load.cursor(&dice) else { return }
        isStarting = true
        let include = dice.pick(["meta", "text", "edits"])
        let filter = dice.chance(0.5) ? load.allOurs : dice.pick([load.someOurs, load.named, load.tagged, load.narrow])
        call("notes.watch", "\"filter\":\(filter),\"include\":\"\(include)\",\"since\":\(quoted(cursor))") {
            [unowned self] answer in
            isStarting = false
            guard case .result(let result) = answer, let watch = result["watch"]?.number else { return }
            open.append(watch)
        }
    }
}
