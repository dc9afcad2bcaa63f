import Causality
import TestKit
import Testing

@testable import TextMerge

/// The view compared with texts from an independent implementation, which detects mistakes that the
/// view and the naive walk share.
@Suite struct GoldenTests {
    @Test func view_matchesGoldenTexts() {
        let lines = GoldenHistories.text.split(separator: "\n")
        #expect(lines.count == 90)
        for (number, line) in lines.enumerated() {
            guard let (events, expected) = history(line) else {
                Issue.record("history \(number) cannot be read")
                continue
            }
            for limits in [WalkLimits(), .tiny] {
                var view = View(limits: limits)
                view.append(contentsOf: events)
                #expect(view.text == expected, "history \(number)")
            }
            #expect(NaiveWalk(events).text == expected, "history \(number)")
        }
    }

    private func history(_ line: Substring) -> ([Event], [UInt8])? {
        let halves = line.split(separator: "=", omittingEmptySubsequences: false)
        guard halves.count == 2, let text = unhex(halves[1]) else { return nil }
        var events: [Event] = []
        for part in halves[0].split(separator: ";") {
            guard let event = event(part) else { return nil }
            events.append(event)
        }
        return (events, text)
    }

    private func event(_ text: Substring) -> Event? {
        let fields = text.split(separator: "|", omittingEmptySubsequences: false)
        guard fields.count == 4, let dot = dot(fields[0]) else { return nil }
        let parents = fields[1].split(separator: " ").compactMap(dot(_:))
        let edits = fields[3].split(separator: " ").compactMap(edit)
        guard parents.count == fields[1].split(separator: " ").count, edits.count == fields[3].split(separator: " ").count
        else { return nil }
        return Event(
            dot: dot, parents: Version(parents), edits: edits, origin: fields[2] == "f" ? .found : .stated,
            isTombstone: fields[2] == "t")
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
