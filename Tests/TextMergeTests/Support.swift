import Causality
import TestKit

@testable import TextMerge

/// `A2` is the second revision of the replica whose id is the code of its letter.
func dot(_ name: String) -> Dot {
    let utf8 = Array(name.utf8)
    return Dot(ReplicaID(bits: UInt64(utf8[0])), UInt64(String(decoding: utf8.dropFirst(), as: UTF8.self)) ?? 0)
}

/// Dots by their short names, with spaces between.
func version(_ names: String) -> Version {
    Version(names.split(separator: " ").map { dot(String($0)) })
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Edit {
    init(_ start: Int, _ end: Int, _ replacement: String) {
        self.init(start: start, end: end, replacement: bytes(replacement))
    }
}

extension Event {
    /// A write that states its edits.
    static func stated(_ name: String, on parents: String, _ edits: Edit...) -> Event {
        Event(dot: TextMergeTests.dot(name), parents: version(parents), edits: edits, origin: .stated)
    }

    /// A whole text that is saved over another.
    static func saved(_ name: String, on parents: String, from base: String, to text: String) -> Event {
        Event(
            dot: TextMergeTests.dot(name), parents: version(parents), edits: LineDiff.edits(from: bytes(base), to: bytes(text)), origin: .found)
    }

    static func deleted(_ name: String, on parents: String) -> Event {
        Event(dot: TextMergeTests.dot(name), parents: version(parents), edits: [], origin: .stated, isTombstone: true)
    }
}

/// What a note with these revisions shows; all are appended together.
func shown(_ events: Event...) -> String {
    var view = View()
    view.append(contentsOf: events)
    return string(view.text)
}

extension WalkLimits {
    /// Sizes with which blocks divide, branches take turns and the shown text is written anew all the time.
    static let tiny = WalkLimits(blockRuns: 2, branches: 2, splices: 1)
}

extension SeededGenerator {
    /// An offset in the text that lies on a character boundary.
    mutating func boundary(in text: [UInt8], from least: Int = 0) -> Int {
        var offset = least + below(text.count - least + 1)
        while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }

    /// The events in another causal order.
    mutating func causalOrder(_ events: [Event]) -> [Event] {
        var left = events
        var placed: Set<Dot> = []
        var result: [Event] = []
        while !left.isEmpty {
            let ready = left.indices.filter { left[$0].parents.dots.allSatisfy(placed.contains) }
            let next = left.remove(at: pick(ready))
            placed.insert(next.dot)
            result.append(next)
        }
        return result
    }
}
