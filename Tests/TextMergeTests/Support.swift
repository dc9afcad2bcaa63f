import Causality
import TestKit

@testable import TextMerge

/// Dots by their short names, separated by spaces.
func seen(_ names: String) -> Version {
    Version(names.split(separator: " ").map { dot(String($0)) })
}

func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Edit {
    init(_ start: Int, _ end: Int, _ replacement: String) {
        self.init(start: start, end: end, replacement: bytes(replacement))
    }
}

extension Event {
    /// A write that states its edits.
    static func stated(_ name: String, on parents: String, _ edits: Edit...) -> Event {
        Event(dot: TestKit.dot(name), parents: seen(parents), edits: edits, origin: .stated)
    }

    /// A whole text saved over another.
    static func saved(_ name: String, on parents: String, from base: String, to text: String) -> Event {
        Event(
            dot: TestKit.dot(name), parents: seen(parents), edits: LineDiff.edits(from: bytes(base), to: bytes(text)),
            origin: .found)
    }

    static func deleted(_ name: String, on parents: String) -> Event {
        Event(dot: TestKit.dot(name), parents: seen(parents), edits: [], origin: .stated, isTombstone: true)
    }
}

/// The merged text of a note with these revisions, all appended together.
func shown(_ events: Event...) -> String {
    var view = View()
    view.append(contentsOf: events)
    return string(view.text)
}

extension WalkLimits {
    /// Limits so small that blocks divide, writers share branches, the merged text is built anew
    /// and excerpts are dropped all the time.
    static let tiny = WalkLimits(blockRuns: 2, branches: 2, splices: 1, branchText: 8, descendants: 1, excerpts: 600)
}

extension SeededGenerator {
    /// The events in another causal order, without those of the floor.
    mutating func causalOrder(above below: Set<Dot> = [], _ events: [Event]) -> [Event] {
        var left = events.filter { !below.contains($0.dot) }
        var placed = below
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
