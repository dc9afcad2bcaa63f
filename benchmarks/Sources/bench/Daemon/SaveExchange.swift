/// A note that one connection saves and another watches.
final class SaveExchange: Exchange {
    private let saver: Client
    private let watcher: Client
    private let note: String
    private var version: String
    private var number = 0
    /// The version that the watcher was last notified of.
    private var told: String

    var writer: Descriptor { saver.descriptor }
    var listener: Descriptor { watcher.descriptor }
    /// The next save.
    private var request: [UInt8] = []
    /// Length of the last save's notification in bytes.
    private(set) var notificationBytes = 0

    var requestBytes: Int { request.count }

    init(of daemon: DaemonProcess.Address) throws(Failure) {
        saver = try daemon.client()
        watcher = try daemon.client()
        let made = try saver.call(.createNote(json: ReplacedLine.json(0)))
        note = try made.required(Keys.id)
        version = try made.required(Keys.version)
        told = version
        _ = try watcher.watch(.watchNotes(ids: [note]))
    }

    func prepare() throws(Failure) {
        guard told == version else { throw Failure("the watcher was notified of \(told), but the save created \(version)") }
        number += 1
        request = saver.line(.saveNote(note, base: version, json: ReplacedLine.json(number)))
    }

    func send() throws(Failure) {
        try saver.descriptor.writeAll(request)
    }

    func takeAnswer() throws(Failure) -> Bool {
        guard let answer = try saver.nextIfThere() else { return false }
        version = try answer.result().required(Keys.version)
        return true
    }

    func takeNotification() throws(Failure) -> Bool {
        while let line = try watcher.nextIfThere() {
            // The daemon sends a bookmark after half a minute without other lines.
            if line.isBookmark { continue }
            told = try line.required(Keys.version)
            notificationBytes = line.line.count + 1
            return true
        }
        return false
    }
}
