import Causality
import TestKit
import Testing

@testable import TextMerge

/// The text of a version is the same wherever the walk starts: at the beginning, at each critical
/// version, or at those that a view reaches while revisions arrive.
@Suite struct OneTextTests {
    /// The number of histories for each seed of the tests below.
    private let histories: UInt64 = 100

    @Test(arguments: newSeeds(6))
    func denseHistory_hasOneText(seed: UInt64) {
        for number in 0..<histories { check(seed &* histories &+ number, undos: 0) }
    }

    @Test(arguments: newSeeds(4))
    func denseHistoryWithUndo_hasOneText(seed: UInt64) {
        for number in 0..<histories { check(seed &* histories &+ number, undos: 0.2) }
    }

    /// Two writers append to a text of which one replaced a line. A save of what they show, and then a
    /// write on an old base: the running daemon walked from a newer version than it does afterwards.
    @Test func eightSaves_tearNoLine() {
        let root = Event.saved("A1", on: "", from: "", to: "echo\n")
        let delta = Event.saved("B1", on: "A1", from: "echo\n", to: "delta\necho\n")
        let alpha = Event.saved("C1", on: "A1", from: "echo\n", to: "alpha\n")
        let foxtrot = Event.saved("D1", on: "B1 C1", from: shown(root, delta, alpha), to: "alpha\nfoxtrot\n")
        let golf = Event.saved("E1", on: "D1", from: "alpha\nfoxtrot\n", to: "alpha\nfoxtrot\ngolf\n")
        let gone = Event.saved("F1", on: "D1", from: "alpha\nfoxtrot\n", to: "alpha\n")
        let charlie = Event.saved("F2", on: "F1", from: "alpha\n", to: "alpha\ncharlie\n")
        var running = View()
        for piece in [[root, delta, alpha], [foxtrot], [golf, gone, charlie]] { running.append(contentsOf: piece) }
        #expect(running.floor == seen("D1"))
        let base = string(running.text)
        #expect(base == "alpha\ncharlie\ngolf\n")
        let written = base.replacing("\n", with: "\nnew\n")
        let save = Event.saved("E2", on: "E1 F2", from: base, to: written)
        let stale = Event.saved("C2", on: "A1", from: "echo\n", to: "echo\nstale\n")
        var whole = View()
        whole.append(contentsOf: [root, delta, alpha, foxtrot, golf, gone, charlie, save, stale])
        #expect(string(whole.text(at: seen("E2"))) == written)
        #expect(string(whole.text) == written + "stale\n")
    }

    /// One writer types Enter in the middle of a line and a letter in the new line; another one types before
    /// the Enter. In the second text, `one` is hidden there. In the other case, the first writer empties the
    /// line and types in it, while the other one types at its end.
    @Test(arguments: [("A", "B"), ("B", "A")])
    func typedBesideEnter_hasOneText(one: String, other: String) {
        let root = Event.saved("C1", on: "", from: "", to: "onez\n")
        let changed = Event.stated("C2", on: "C1", Edit(0, 3, "ab"))
        let enter = Event.stated("\(one)1", on: "C2", Edit(2, 2, "\n"))
        let below = Event.stated("\(one)2", on: "\(one)1", Edit(3, 3, "x"))
        let before = Event.stated("\(other)1", on: "C2", Edit(2, 2, "Y"))
        let emptied = Event.stated("\(one)1", on: "C2", Edit(0, 3, ""))
        let again = Event.stated("\(one)2", on: "\(one)1", Edit(0, 0, "x"))
        let atEnd = Event.stated("\(other)1", on: "C2", Edit(3, 3, "Y"))
        for (later, text) in [
            ([enter, below, before], one < other ? "ab\nYxz\n" : "abY\nxz\n"), ([emptied, again, atEnd], "Yx\n"),
        ] {
            var whole = View(naming: .cheap)
            whole.append(contentsOf: [root, changed] + later, holdsFloor: true)
            #expect(string(whole.text) == text)
            #expect(string(NaiveWalk([root, changed] + later).text) == text)
            var view = View(floor: dot("C2"), text: bytes("abz\n"), isDeleted: false)
            view.append(contentsOf: later)
            #expect(string(view.text) == text, "from the changed line")
        }
    }

    /// Concurrent saves of a few lines, a save that sees all of them, and concurrent saves above it:
    /// the shape in which hidden text below a critical version may order insertions above it.
    @Test(arguments: seeds(6))
    func layeredHistory_hasOneText(seed: UInt64) {
        for number in 0..<histories {
            var generator = SeededGenerator(seed: seed &* histories &+ number)
            check(LayeredHistory(&generator).events, "seed \(seed)", &generator)
        }
    }

    private func check(_ seed: UInt64, undos: Double) {
        var generator = SeededGenerator(seed: seed)
        let history = RandomHistory(.dense(&generator, undos: undos), &generator)
        let events = history.events
        let text = NaiveWalk(events).text
        var whole = View(limits: generator.chance(0.5) ? .tiny : WalkLimits(), naming: .cheap)
        whole.append(contentsOf: events, holdsFloor: true)
        #expect(whole.text == text, "from the beginning; seed \(seed)")
        for event in events {
            let own = whole.text(at: Version(event.dot))
            #expect(own == history.written[event.dot], "the writer's own text of \(event.dot); seed \(seed)")
        }
        check(events, "seed \(seed)", &generator)
    }

    /// Compares the text from the beginning with that of views which start at, or reach, critical
    /// versions.
    private func check(_ events: [Event], _ place: String, _ generator: inout SeededGenerator) {
        var whole = View(naming: .cheap)
        whole.append(contentsOf: events, holdsFloor: true)
        let order = Arrivals(generator.causalOrder(events))
        #expect(order.text(of: events.indices, from: View(naming: .cheap)) == whole.text, "as they arrive; \(place)")
        for index in events.indices where order.isCritical(index) {
            var earlier = View(naming: .cheap)
            earlier.append(contentsOf: Array(order.events[...index]), holdsFloor: true)
            let state = ViewFloor(
                text: earlier.text, lastLine: earlier.lastLineFeed, isDeleted: earlier.isDeleted, conflicts: [])
            let view = View(floor: order.events[index].dot, state, naming: .cheap)
            let text = order.text(of: index + 1..<events.count, from: view)
            #expect(text == whole.text, "from \(order.events[index].dot); \(place)")
        }
    }
}

/// Two writers save, one saves what both show, and two save above that. Each save changes one line
/// of at most three.
private struct LayeredHistory {
    private(set) var events: [Event] = []
    private var lines = 0

    init(_ generator: inout SeededGenerator) {
        save("A1", on: "", &generator)
        for (below, layer) in [("A1", ["B1", "C1", "A2"]), ("A2", ["B2", "C2", "A3"])] {
            var heads: [String] = []
            for first in layer.dropLast() {
                var head = first
                save(head, on: below, &generator)
                if generator.chance(0.5) {
                    let next = first + "0"
                    save(next, on: head, &generator)
                    head = next
                }
                heads.append(head)
            }
            save(layer[2], on: heads.joined(separator: " "), &generator)
        }
    }

    private mutating func save(_ name: String, on parents: String, _ generator: inout SeededGenerator) {
        var view = View(naming: .cheap)
        view.append(contentsOf: events, holdsFloor: true)
        let text = parents.isEmpty ? [] : view.text(at: seen(parents))
        let base = Lines(text)
        var changed = (0..<base.count).map { Array(base[$0]) }
        lines += 1
        let line = bytes("\(lines)\n")
        let at = generator.below(changed.count + 1)
        switch generator.below(at == changed.count ? 1 : 4) {
        case 0 where changed.count < 3: changed.insert(line, at: at)
        case 1 where changed.count > 1: changed.remove(at: at)
        default: changed[min(at, changed.count - 1)] = line
        }
        let edits = LineDiff.edits(from: text, to: changed.flatMap { $0 })
        events.append(Event(dot: dot(name), parents: seen(parents), edits: edits, origin: .found))
    }
}

/// Revisions in a causal order, in which a view appends them one at a time.
private struct Arrivals {
    let events: [Event]
    /// The past of each event, as the indexes of its members.
    private let pasts: [Set<Int>]

    init(_ events: [Event]) {
        self.events = events
        var indexes: [Dot: Int] = [:]
        var pasts: [Set<Int>] = []
        for (index, event) in events.enumerated() {
            indexes[event.dot] = index
            pasts.append(event.parents.dots.compactMap { indexes[$0] }.reduce(into: []) { $0.formUnion(pasts[$1].union([$1])) })
        }
        self.pasts = pasts
    }

    /// Whether a view may start at an event, if all that precede it in the order are in its past.
    func mayBeFloor(_ index: Int) -> Bool {
        let below = Set(events[...index].map(\.dot))
        return events[index].mayBeFloor
            && events.indices[(index + 1)...].allSatisfy {
                pasts[$0].contains(index) && below.isDisjoint(with: events[$0].withdraws)
            }
    }

    func isCritical(_ index: Int) -> Bool { pasts[index].count == index && mayBeFloor(index) }

    /// The text after some events, appended to a view of those before them. Its floor rises as far as
    /// the later events permit.
    func text(of indexes: Range<Int>, from view: View) -> [UInt8] {
        var view = view
        for index in indexes {
            var holding = view
            holding.append(contentsOf: [events[index]], holdsFloor: true)
            let isWithdrawalLater = events[(index + 1)...].contains(where: \.isWithdrawal)
            if !mayBeFloor(index) || isWithdrawalLater && holding.hasUnresolved {
                view = holding
            } else {
                view.append(events[index])
            }
        }
        return view.text
    }
}
