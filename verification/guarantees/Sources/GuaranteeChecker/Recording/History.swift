/// The traffic of all connections, in the order in which one thread sent and received it.
///
/// This order is all that the checker knows about time: an event that was received before another
/// was sent happened before it. In text form, each event is a line: the number of the connection,
/// a mark, and the content.
///
///     1 +                    the connection was opened
///     1 > {"jsonrpc":…}      the client sent a line
///     1 < {"jsonrpc":…}      the client received a line
///     1 z                    the client stopped reading
///     1 r                    the client resumed reading
///     1 -                    the connection ended
///     0 ! words              a wait timed out; the words name what did not arrive
package struct History: Sendable {
    /// The kinds of events.
    package enum What: Hashable, Sendable {
        /// The connection was opened.
        case opened
        /// The client sent a line.
        case sent([UInt8])
        /// The client received a line.
        case received([UInt8])
        /// The client stopped reading.
        case stopped
        /// The client resumed reading.
        case resumed
        /// The connection ended.
        case closed
        /// A wait timed out. The text names what did not arrive.
        case gaveUp(String)
    }

    /// An event on one connection.
    package struct Event: Hashable, Sendable {
        /// The number of the connection; 0 for events of the whole run.
        package let connection: Int
        /// What happened.
        package let what: What
    }

    /// All events, in order.
    package private(set) var events: [Event] = []

    /// An empty history.
    package init() {}

    /// Reads the text form. Empty lines and lines that begin with `#` are skipped.
    ///
    /// - Throws: `HistoryFault` at the first line that is not an event.
    package init(parsing text: [UInt8]) throws(HistoryFault) {
        var number = 0
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count >= 2, let connection = Int(String(decoding: parts[0], as: UTF8.self)), parts[1].count == 1,
                let mark = parts[1].first
            else { throw HistoryFault(line: number) }
            let rest = parts.count > 2 ? Array(parts[2]) : []
            switch mark {
            case UInt8(ascii: "+"): add(.opened, connection)
            case UInt8(ascii: "-"): add(.closed, connection)
            case UInt8(ascii: "z"): add(.stopped, connection)
            case UInt8(ascii: "r"): add(.resumed, connection)
            case UInt8(ascii: ">"): add(.sent(rest), connection)
            case UInt8(ascii: "<"): add(.received(rest), connection)
            case UInt8(ascii: "!"): add(.gaveUp(String(decoding: rest, as: UTF8.self)), connection)
            default: throw HistoryFault(line: number)
            }
        }
    }

    /// Appends an event.
    package mutating func add(_ what: What, _ connection: Int) {
        events.append(Event(connection: connection, what: what))
    }

    /// The text form, with an LF after each event.
    package var text: [UInt8] {
        var text: [UInt8] = []
        for event in events {
            text += event.text
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }
}

/// A line that is not an event.
package struct HistoryFault: Error, Hashable {
    /// The number of the line, from 1.
    package let line: Int
}

extension History.Event {
    /// The event's line without its LF.
    package var text: [UInt8] {
        let (mark, rest): (String, [UInt8]) =
            switch what {
            case .opened: ("+", [])
            case .closed: ("-", [])
            case .stopped: ("z", [])
            case .resumed: ("r", [])
            case .sent(let line): ("> ", line)
            case .received(let line): ("< ", line)
            case .gaveUp(let words): ("! ", Array(words.utf8))
            }
        return Array("\(connection) \(mark)".utf8) + rest
    }
}
