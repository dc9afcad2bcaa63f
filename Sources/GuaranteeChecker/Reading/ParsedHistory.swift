/// A history, read: requests beside their answers, what was shown to whom, and the life of each watch.
///
/// It knows what the protocol says of lines and nothing else. Where an `at` stands, it is the index of an event.
struct ParsedHistory {
    /// A set of dots, sorted as text, joined by spaces.
    typealias Version = String

    struct Call {
        let connection: Int
        let sentAt: Int
        let method: String
        let params: Value
        var answeredAt: Int?
        var result: Value?
        var refusal: String?
        /// Of a refusal, the param that was wrong.
        var refusalPath: String?
    }

    struct Connection {
        /// The run of the daemon: the replica that its hello named.
        var run: String?
        var dependent: Int?
        var encoding = Splicing.Encoding.utf8
        /// Calls without an answer, oldest first.
        var waiting: [Int] = []
        var watches: [Int: Int] = [:]
    }

    /// One showing of a note: to one connection, at one version.
    struct Showing {
        let at: Int
        let connection: Int
        let note: String
        let version: Version
        var text: [UInt8]?
        var facts: Facts?
        /// The call whose answer it is, if it is one's; `isNow` where that asked for what the note is.
        var call: Int?
        var isNow = false
    }

    /// What else a note is at a version, as far as a version alone says it.
    struct Facts: Hashable {
        var name: String?
        var bytes: Int
        var isDeleted: Bool
        var title: String
        var tags: [String]
        var conflicts: [String]
    }

    struct Watch {
        let call: Int
        let connection: Int
        let number: Int
        let answeredAt: Int
        let cursor: String
        let isReset: Bool
        var lines: [WatchLine] = []
        var syncedAt: Int?
        var endedAt: Int?
    }

    struct WatchLine {
        let at: Int
        let what: What
        let seq: Int
        let cursor: String?
        let coalesced: Int?

        enum What: Hashable {
            case changed(note: String, version: Version, change: String)
            case synced, bookmark, reset
        }
    }

    /// A note's history, from the newest on, as far as it was read: a page and those before it.
    struct Page {
        /// That asked for the newest: what was written after it need not be here.
        let call: Int
        let note: String
        let revisions: [PageRevision]
        /// Where it goes on; nil where this is all of it.
        let next: String?
    }

    struct PageRevision {
        let dot: String
        let parents: [String]
        /// Nil where the page does not say.
        let isDeletion: Bool?
    }

    /// What `dependents.list` said waits for one of ours.
    struct Waiting {
        let at: Int
        let connection: Int
        let bytes: Int
    }

    var events: [History.Event]
    var calls: [Call] = []
    var connections: [Int: Connection] = [:]
    var showings: [Showing] = []
    var watches: [Watch] = []
    var pages: [Page] = []
    var waiting: [Waiting] = []
    /// What the daemon's settings say may wait for one dependent.
    var outboxBytesMax: Int?
    /// By note and version: the text that was first shown or sent, and where.
    var texts: [String: [Version: (text: [UInt8], at: Int, isSent: Bool)]] = [:]
    var facts: [String: [Version: (facts: Facts, at: Int)]] = [:]
    var writes: [Write] = []
    /// By `op`, the write that has it.
    var writeOfOp: [String: Int] = [:]
    var faults: [Fault] = []
    /// How often the same text or facts were shown again at a version, and were the same.
    var agreements = 0
    /// How often a revision was read with `at` after it was sent, and was the same.
    var rereadings = 0

    static func version(_ dots: some Sequence<String>) -> Version { Set(dots).sorted().joined(separator: " ") }
    static func version(_ text: String) -> Version { version(dots(text)) }
    static func dots(_ version: String) -> [String] { version.split(separator: " ").map(String.init) }

    mutating func broken(_ guarantee: Guarantee, _ words: String, _ events: [Int]) {
        faults.append(Fault(guarantee: guarantee, words: words, events: events))
    }

    /// Takes in that a text was shown at a version; whoever showed it otherwise contradicts it.
    mutating func show(_ note: String, _ version: Version, _ text: [UInt8], at event: Int, isSent: Bool = false) {
        guard let known = texts[note]?[version] else {
            texts[note, default: [:]][version] = (text, event, isSent)
            return
        }
        if known.text == text {
            agreements += 1
            if known.isSent != isSent { rereadings += 1 }
        } else if known.isSent || isSent {
            broken(.nothingLost, "\(note) at \(version) does not show what its writer sent", [known.at, event])
        } else {
            broken(.convergent, "\(note) at \(version) was shown with two texts", [known.at, event])
        }
    }
}

/// One write as its sender means it: sent once, or again under its `op`.
struct Write {
    enum Kind: Hashable { case create, text, delete }

    let note: String?
    let kind: Kind
    let base: [String]
    /// The text of its own version; nil where what it was built on was never shown.
    let text: [UInt8]?
    let op: String?
    var calls: [Int]
    var sentAt: Int
    /// Nil while nobody answered; `unchanged` has none either.
    var dot: String?
    var answeredAt: Int?
    var isUnchanged = false
    /// The note of a creation without an id.
    var createdNote: String?

    var id: String? { note ?? createdNote }
}
