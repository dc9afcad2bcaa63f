import Causality
import TestKit
import Testing

@testable import TextMerge

/// The view compared with an independent implementation, which detects mistakes that the view and the
/// naive walk share.
@Suite struct GoldenTests {
    private struct History {
        let events: [Event]
        let text: [UInt8]
        /// Nil if they are not known.
        let conflicts: [String]?
    }

    @Test func view_matchesGoldenHistories() {
        let lines = GoldenHistories.text.split(separator: "\n")
        #expect(lines.count == 158)
        for (number, line) in lines.enumerated() {
            guard let history = history(line) else {
                Issue.record("history \(number) cannot be read")
                continue
            }
            for limits in [WalkLimits(), .tiny] {
                var view = View(limits: limits)
                view.append(contentsOf: history.events)
                #expect(string(view.text) == string(history.text), "history \(number)")
                guard let conflicts = history.conflicts else { continue }
                #expect(view.conflicts.map(summary).sorted() == conflicts, "history \(number)")
            }
            #expect(NaiveWalk(history.events).text == history.text, "history \(number)")
        }
    }

    /// A conflict as the histories list it.
    private func summary(_ conflict: Conflict) -> String {
        func names(_ dots: [Dot]) -> String {
            dots.map { "\(String($0.replica.bits, radix: 16)):\($0.counter)" }.joined(separator: " ")
        }
        let range = "\(conflict.range.lowerBound),\(conflict.range.upperBound)"
        return "\(conflict.kind)|\(range)|\(names(conflict.sides))|\(names(conflict.withdrawn))"
    }

    private func history(_ line: Substring) -> History? {
        let parts = line.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 3, let text = unhex(parts[1]) else { return nil }
        var events: [Event] = []
        for part in parts[0].split(separator: ";") {
            guard let event = event(part) else { return nil }
            events.append(event)
        }
        let conflicts = parts[2] == "?" ? nil : parts[2].split(separator: ";").map(String.init).sorted()
        return History(events: events, text: text, conflicts: conflicts)
    }

    private func event(_ text: Substring) -> Event? {
        let fields = text.split(separator: "|", omittingEmptySubsequences: false)
        guard fields.count == 4, let dot = dot(fields[0]), let parents = dots(fields[1]) else { return nil }
        if fields[2] == "w" {
            return dots(fields[3]).map { Event(dot: dot, parents: Version(parents), edits: [], origin: .stated, withdraws: $0) }
        }
        let edits = fields[3].split(separator: " ").compactMap(edit)
        guard edits.count == fields[3].split(separator: " ").count else { return nil }
        return Event(
            dot: dot, parents: Version(parents), edits: edits, origin: fields[2] == "f" ? .found : .stated,
            isTombstone: fields[2] == "t")
    }

    private func dots(_ text: Substring) -> [Dot]? {
        let dots = text.split(separator: " ").compactMap(dot(_:))
        return dots.count == text.split(separator: " ").count ? dots : nil
    }

    private func dot(_ text: Substring) -> Dot? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let replica = UInt64(parts[0], radix: 16), let counter = UInt64(parts[1]) else { return nil }
        return Dot(ReplicaID(bits: replica), counter)
    }

    private func edit(_ text: Substring) -> Edit? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let start = Int(parts[0]), let end = Int(parts[1]), let replacement = unhex(parts[2])
        else { return nil }
        return Edit(start: start, end: end, replacement: replacement)
    }

    private func unhex(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
