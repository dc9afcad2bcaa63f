import Causality
import TestKit
import Testing

@testable import TextMerge

/// A history with the results of the naive walk and the naive oracle.
struct CheckedHistory {
    let events: [Event]
    let walk: NaiveWalk
    let naive: NaiveConflicts

    init(_ events: [Event]) {
        self.events = events
        walk = NaiveWalk(events)
        naive = NaiveConflicts(events, naming: .cheap)
    }

    var dots: Set<Dot> { Set(walk.events.keys) }

    // MARK: Comparing a view with it

    /// Requires that a view of exactly these revisions has their text and their conflicts, and the
    /// right texts at the versions above its floor.
    func check(_ view: inout View, holds dots: Set<Dot>, _ place: String) {
        #expect(view.text == naive.text(in: dots), "\(place)")
        let expected = naive.open(in: dots)
        #expect(view.conflicts == expected.map(Conflict.init), "\(place)")
        for conflict in expected {
            let texts = view.texts(of: Conflict(conflict))
            let isAboveFloor = conflict.sides.allSatisfy { view.graph.ordinal(of: $0) != nil }
            guard conflict.kind == .text, isAboveFloor else {
                #expect(texts == nil, "\(place)")
                continue
            }
            #expect(texts?.base == conflict.base && texts?.sides == conflict.sideTexts, "\(place): \(conflict)")
        }
    }

    /// Requires that the view has the right open conflicts at a version.
    ///
    /// - Precondition: the version is reduced, and the view knows it.
    func check(_ view: inout View, at version: Version, _ place: String) {
        let expected = naive.open(in: walk.closure(version))
        #expect(view.conflicts(at: version) == expected.map(Conflict.init), "\(place) at \(version)")
    }
}

extension Conflict {
    init(_ naive: NaiveConflict) {
        self.init(id: naive.id, kind: naive.kind, sides: naive.sides, withdrawn: naive.withdrawn, range: naive.range)
    }
}

extension KeptConflict {
    init(_ naive: NaiveConflict) {
        self.init(Conflict(naive).moved(to: naive.keptRange), own: naive.own)
    }
}

// MARK: Examples

extension Event {
    /// The same revision, which also sets the name; nil clears it.
    func named(_ name: String?) -> Event {
        Event(
            dot: dot, parents: parents, edits: edits, origin: origin, isTombstone: isTombstone, name: .set(name.map(bytes)),
            resolves: resolves)
    }

    /// The same revision, which also names conflicts as resolved.
    func resolving(_ ids: ConflictID...) -> Event {
        Event(
            dot: dot, parents: parents, edits: edits, origin: origin, isTombstone: isTombstone, name: name, resolves: ids)
    }
}

/// The conflicts that are open in a note with all of these revisions, by the definition. A view is
/// compared with them, once with the revisions appended together and once one by one.
func conflicts(_ events: [Event]) -> [NaiveConflict] {
    let history = CheckedHistory(events)
    for length in [1, events.count] {
        var view = View(naming: .cheap)
        var dots: Set<Dot> = []
        for piece in history.walk.pieces(of: events, length: { length }) {
            view.append(contentsOf: piece)
            dots.formUnion(piece.map(\.dot))
            history.check(&view, holds: dots, "\(dots)")
        }
        for event in events where view.knows(event.dot) { history.check(&view, at: Version(event.dot), "\(event.dot)") }
    }
    return history.naive.open(in: history.dots)
}

/// The same as text: kind and sides, then the text of the range, in quotes.
func open(_ events: Event...) -> [String] {
    let text = CheckedHistory(events).walk.text
    return conflicts(events).map { conflict in
        let sides = conflict.sides.map { "\($0.replica.description.prefix(1).uppercased())\($0.counter)" }
        let shown = string(Array(text[conflict.range])).replacing("\n", with: "/")
        return "\(conflict.kind) \(sides.joined(separator: " ")) '\(shown)'"
    }.sorted()
}
