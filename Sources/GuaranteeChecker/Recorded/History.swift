/// What went over the sockets, in the order in which one thread sent and received it.
///
/// That order is all that the judge knows of time: what was received before something else was sent, was so before it. Written
/// down, a history is text, an event a line: the number of the connection, a mark, and what belongs to it.
///
///     1 +                    a connection was made
///     1 > {"jsonrpc":…}      a line was sent
///     1 < {"jsonrpc":…}      a line was received
///     1 z                    it reads nothing from here on
///     1 r                    it reads again
///     1 -                    it is over, whoever ended it
///     0 ! words              nothing came that was waited for; the words say what
package struct History: Sendable {
    package enum What: Hashable, Sendable {
        case opened
        case sent([UInt8])
        case received([UInt8])
        case stopped
        case resumed
        case closed
        case gaveUp(String)
    }

    package struct Event: Hashable, Sendable {
        package let connection: Int
        package let what: What
    }

    package private(set) var events: [Event] = []

    package init() {}

    /// - Throws: `HistoryFault` at a line that is none of a history. Empty ones and those that begin with `#` are skipped.
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

    package mutating func add(_ what: What, _ connection: Int) {
        events.append(Event(connection: connection, what: what))
    }

    package var text: [UInt8] {
        var text: [UInt8] = []
        for event in events {
            text += event.text
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }
}

package struct HistoryFault: Error, Hashable {
    package let line: Int
}

extension History.Event {
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
