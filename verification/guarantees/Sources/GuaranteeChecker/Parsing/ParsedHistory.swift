/// A history that has been parsed: requests with their responses, the states of notes that each
/// connection received, and the lines of each watch.
///
/// It knows the protocol and nothing about the daemon's implementation. A property named `at`, or
/// ending in `At`, is the index of an event.
struct ParsedHistory {
    /// A set of dots, sorted as text and joined by spaces.
    typealias Version = String

    /// A request and its response.
    struct Call {
        let connection: Int
        let sentAt: Int
        let method: String
        let params: Value
        var answeredAt: Int?
        var result: Value?
        var refusal: String?
        /// The parameter that an error response names.
        var refusalPath: String?
    }

    /// The state of a connection.
    struct Connection {
        /// The run of the daemon, as the replica in its hello response.
        var run: String?
        var dependent: Int?
        var label: [UInt8]?
        var encoding = Splicing.Encoding.utf8
        /// Calls without a response, oldest first.
        var waiting: [Int] = []
        /// Index in `watches` by the daemon's number of the watch.
        var watches: [Int: Int] = [:]
    }

    /// A state of a note that one connection received, at one version.
    struct Showing {
        let at: Int
        let connection: Int
        let note: String
        let version: Version
        var text: [UInt8]?
        var facts: Facts?
        /// The call whose response it was; nil for a watch line.
        var call: Int?
        /// Whether the call asked for the current state.
        var isNow = false
    }

    /// The metadata that a version of a note determines.
    struct Facts: Hashable {
        var name: String?
        var bytes: Int
        var isDeleted: Bool
        var title: String
        var tags: [String]
        var conflicts: [String]
    }

    /// A watch and its lines.
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

    /// A line of a watch.
    struct WatchLine {
        let at: Int
        let what: What
        let seq: Int
        let cursor: String?
        let coalesced: Int?
        let origin: Origin?

        enum What: Hashable {
            case changed(note: String, version: Version, change: String)
            case synced, bookmark, reset
        }
    }

    /// The origin of a change, as a watch reports it.
    struct Origin {
        let dependent: Int
        let label: [UInt8]?
    }

    /// A notification of what a dependent has open.
    struct PresenceLine {
        let at: Int
        let connection: Int
        let note: String
        let dependent: Int
        /// The version that the user sees; nil if the dependent left the note.
        let version: Version?
        let selection: Value?
    }

    /// The history of a note from its newest revision down to the last page that was read.
    struct Page {
        /// The call for the newest page. Revisions written after it may be missing.
        let call: Int
        let note: String
        let revisions: [PageRevision]
        /// The value for `before` of the next page; nil if the history is complete.
        let next: String?
    }

    /// A revision in the history of a note.
    struct PageRevision {
        let dot: String
        let parents: [String]
        /// Whether the revision is a deletion; nil if the page does not say.
        let isDeletion: Bool?
        /// The revisions that it undoes.
        let withdrawn: [String]
    }

    /// A size of an outbox that `dependents.list` reported for one of the workload's connections.
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
    var presence: [PresenceLine] = []
    var pages: [Page] = []
    var waiting: [Waiting] = []
    /// The daemon's limit on one outbox, in bytes; nil if it is unknown.
    var outboxBytesMax: Int?
    /// The first text that was sent or received, by note and version.
    var texts: [String: [Version: (text: [UInt8], at: Int, isSent: Bool)]] = [:]
    var facts: [String: [Version: (facts: Facts, at: Int)]] = [:]
    var writes: [Write] = []
    /// Index of the write by `op`.
    var writeOfOp: [String: Int] = [:]
    var faults: [Fault] = []
    /// Number of times that a text or metadata arrived again at a version and was equal.
    var agreements = 0
    /// Number of texts that a read returned as they were sent.
    var rereadings = 0

    static func version(_ dots: some Sequence<String>) -> Version { Set(dots).sorted().joined(separator: " ") }
    static func version(_ text: String) -> Version { version(dots(text)) }
    static func dots(_ version: String) -> [String] { version.split(separator: " ").map(String.init) }

    mutating func broken(_ guarantee: Guarantee, _ words: String, _ events: [Int]) {
        faults.append(Fault(guarantee: guarantee, words: words, events: events))
    }

    /// Records the text of a version, and a fault if a different text was recorded before.
    mutating func show(_ note: String, _ version: Version, _ text: [UInt8], at event: Int, isSent: Bool = false) {
        guard let known = texts[note]?[version] else {
            texts[note, default: [:]][version] = (text, event, isSent)
            return
        }
        if known.text == text {
            agreements += 1
            if known.isSent != isSent { rereadings += 1 }
        } else if known.isSent || isSent {
            broken(.nothingLost, "\(note) at \(version) does not have the text that its writer sent", [known.at, event])
        } else {
            broken(.convergent, "\(note) at \(version) was returned with two different texts", [known.at, event])
        }
    }
}

/// A write as its client means it: one request, or several with the same `op`.
struct Write {
    enum Kind: Hashable {
        case create, text, delete
        /// An undo of the revisions that the request names.
        case undo([String])
    }

    let note: String?
    let kind: Kind
    let base: [String]
    /// The text of the write's own version; nil for an undo, and if the text of its base was never
    /// received.
    let text: [UInt8]?
    let op: String?
    var calls: [Int]
    var sentAt: Int
    /// The revision; nil without a response, and for `unchanged`.
    var dot: String?
    var answeredAt: Int?
    var isUnchanged = false
    /// The note that a creation without an id made.
    var createdNote: String?

    var id: String? { note ?? createdNote }
}
