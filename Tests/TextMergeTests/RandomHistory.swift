import Causality
import TestKit

@testable import TextMerge

/// What several writers at several stores might do to one note: write without seeing others, write
/// on stale bases, state or save edits, make twins, delete and restore the note, and exchange
/// revisions in any order; on request also rename the note and resolve conflicts.
struct RandomHistory {
    struct Options {
        var writers = 3
        var stores = 1
        var writes = 12
        /// The probability of a saved text, a deletion, a write without edits.
        var saves = 0.5
        var deletions = 0.05
        /// The probability that a writer continues from its own text, without seeing others.
        var blind = 0.5
        /// A few different lines produce twins; many produce none.
        var alphabet = ["X", "Y", "é"]
        var begin = "one\ntwo\n"
        /// The probability that a write sets the name, or names conflicts in `resolves`. If it is 0
        /// no random number is drawn, so that a seed gives the same history as without the option.
        var renames = 0.0
        var resolves = 0.0
        /// The probability that a write withdraws revisions instead: an undo, or a redo.
        var undos = 0.0
        /// The probability that a writer sees everything before it writes, and all others see what it
        /// wrote. Its revision is then a critical version. If it is 0, no random number is drawn.
        var meetings = 0.0
        /// The numbers of edits of a write that states them, of which one is picked.
        var statedEdits = [1, 1, 1, 2, 3]
        /// The number of lines, from the start, to which writes are limited; nil for no limit.
        var linesMax: Int?

        init() {}

        /// A mix of settings, chosen by the seed.
        init(_ generator: inout SeededGenerator) {
            writers = generator.pick([2, 3, 4, 6])
            stores = generator.pick([1, 1, 2, 3])
            writes = generator.pick([4, 8, 14, 20])
            saves = generator.pick([0, 0.3, 0.7, 1])
            deletions = generator.pick([0, 0, 0.1, 0.25])
            blind = generator.pick([0.1, 0.5, 0.9])
            begin = generator.pick(["", "one\ntwo", "one\ntwo\n", "a\nb\nc\nd\n", "é"])
        }

        /// A mix in which writes touch, and some of them resolve earlier conflicts.
        static func inConflict(_ generator: inout SeededGenerator) -> Options {
            var options = Options(&generator)
            options.writes = generator.pick([3, 5, 8, 12, 18, 24])
            options.saves = generator.pick([0.3, 0.7, 1])
            options.begin = generator.pick([options.begin, "a\nb\nc\nd\ne\nf\ng\nh\n", "one\ntwo\nthree\nfour"])
            options.renames = generator.pick([0, 0.1, 0.4])
            options.resolves = generator.pick([0, 0.1, 0.3])
            options.linesMax = generator.pick([nil, nil, 2, 4])
            options.alphabet = generator.pick([["X", "Y", "é"], ["X"]])
            return options
        }

        /// A mix in which few writers replace the same few lines again and again, between critical
        /// versions: much hidden text, below them and above.
        static func dense(_ generator: inout SeededGenerator, undos: Double = 0) -> Options {
            var options = Options()
            options.writers = generator.pick([2, 2, 3, 4])
            options.writes = generator.pick([6, 8, 10, 12])
            options.saves = generator.pick([0.4, 0.7, 1])
            options.deletions = generator.pick([0, 0, 0, 0.08])
            options.blind = generator.pick([0.5, 0.7, 0.9])
            options.alphabet = ["a", "b", "c"]
            options.begin = generator.pick(["", "a\n", "b\na\n", "a\nb", "c\n\nb\n"])
            options.undos = undos
            options.meetings = generator.pick([0.15, 0.3])
            return options
        }

        /// Two or three writers who mostly type in the same two lines, between critical versions: conflicts
        /// that stay open while writers type in them.
        static func typing(_ generator: inout SeededGenerator) -> Options {
            var options = Options()
            options.writers = generator.pick([2, 3])
            options.writes = generator.pick([10, 14, 18])
            options.saves = generator.pick([0.15, 0.3])
            options.deletions = 0
            options.blind = 0.4
            options.alphabet = ["a", "b", "c"]
            options.linesMax = 2
            options.meetings = generator.pick([0.3, 0.5])
            return options
        }

        /// A short mix of two writers who make several edits in few lines, mostly blindly, and withdraw them.
        static func ofSeveralEdits(_ generator: inout SeededGenerator) -> Options {
            var options = Options()
            options.writers = 2
            options.writes = generator.pick([4, 6])
            options.deletions = 0
            options.blind = 0.8
            options.begin = generator.pick(["", "one\n", "one\ntwo\n"])
            options.statedEdits = [2, 3]
            options.undos = 0.35
            return options
        }

        /// A mix in which writes touch and are withdrawn.
        static func withUndo(_ generator: inout SeededGenerator) -> Options {
            var options = inConflict(&generator)
            options.undos = generator.pick([0.15, 0.3, 0.5])
            options.writes = min(options.writes, 14)
            return options
        }
    }

    private struct Writer {
        var store: Int
        var version = Version.nothing
        var text: [UInt8] = []
    }

    let options: Options
    /// In the order of writing, which is a causal one.
    private(set) var events: [Event] = []
    /// The text that each event's writer had after the event.
    private(set) var written: [Dot: [UInt8]] = [:]
    private var stores: [Set<Dot>]
    private var writers: [Writer]
    private var generator: SeededGenerator

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let options = Options(&generator)
        self.init(options, &generator)
    }

    init(_ options: Options, _ generator: inout SeededGenerator) {
        self.options = options
        self.generator = generator
        stores = [Set<Dot>](repeating: [], count: options.stores)
        writers = (0..<options.writers).map { Writer(store: $0 % options.stores) }
        if generator.chance(0.8) { begin() }
        for _ in 0..<options.writes { write() }
        generator = self.generator
    }

    private mutating func begin() {
        let first = Event(
            dot: Dot(ReplicaID(bits: 1), 1), parents: .nothing, edits: LineDiff.edits(from: [], to: bytes(options.begin)),
            origin: .found, name: nameChange(options.renames))
        events.append(first)
        written[first.dot] = bytes(options.begin)
        for store in stores.indices { stores[store].insert(first.dot) }
        for writer in writers.indices {
            writers[writer].version = Version(first.dot)
            writers[writer].text = bytes(options.begin)
        }
    }

    private mutating func write() {
        let number = generator.below(writers.count)
        let isMeeting = options.meetings > 0 && generator.chance(options.meetings)
        if isMeeting { read(number) }
        defer { if isMeeting { for other in writers.indices where other != number { read(other) } } }
        let base = writers[number].text
        let dot = Dot(ReplicaID(bits: UInt64(number + 2)), UInt64(events.count + 1))
        if options.undos > 0, generator.chance(options.undos), let event = withdrawal(dot, on: writers[number].version) {
            return add(event, by: number, showing: nil)
        }
        let isTombstone = generator.chance(options.deletions)
        let isFound = generator.chance(options.saves)
        var edits: [Edit] = []
        if !isTombstone, !generator.chance(0.05) { edits = isFound ? savedEdits(base) : statedEdits(base) }
        let event = Event(
            dot: dot, parents: writers[number].version, edits: edits, origin: isFound ? .found : .stated,
            isTombstone: isTombstone, name: nameChange(isTombstone ? options.renames / 10 : options.renames),
            resolves: resolves(writers[number].version))
        add(event, by: number, showing: isTombstone ? [] : edits.applied(to: base))
    }

    /// An undo of one revision of the writer's version, or a redo: a withdrawal of all that withdraw
    /// one revision. Nil if there is nothing to undo.
    private mutating func withdrawal(_ dot: Dot, on version: Version) -> Event? {
        let walk = NaiveWalk(events)
        let past = walk.closure(version)
        let withdrawn = walk.withdrawn(past)
        let redone = withdrawn.sorted().filter { walk.events[$0]?.isWithdrawal == false }
        var names: [Dot] = []
        if !redone.isEmpty, generator.chance(0.35) {
            let target = generator.pick(redone)
            names = past.filter { !withdrawn.contains($0) && walk.events[$0]?.withdraws.contains(target) == true }.sorted()
        } else {
            let candidates = past.filter { walk.events[$0]?.parents.isNothing == false }.sorted()
            guard !candidates.isEmpty else { return nil }
            let newest = candidates.filter { version.dots.contains($0) }
            names = [generator.pick(newest.isEmpty || generator.chance(0.5) ? candidates : newest)]
            if generator.chance(0.15) { names.append(generator.pick(candidates)) }
        }
        return Event(
            dot: dot, parents: version, edits: [], origin: .stated,
            name: generator.chance(options.renames / 3) ? .set(nil) : .none, withdraws: Set(names).sorted())
    }

    /// - Parameter text: the text at the event's own version; nil to have it computed.
    private mutating func add(_ event: Event, by number: Int, showing text: [UInt8]?) {
        let dot = event.dot
        events.append(event)
        if let text {
            written[dot] = text
        } else {
            let walk = NaiveWalk(events)
            written[dot] = walk.text(of: walk.closure(Version(dot)))
        }
        stores[writers[number].store].insert(dot)
        if generator.chance(options.blind) {
            writers[number].version = Version(dot)
            writers[number].text = written[dot] ?? []
        } else {
            read(number)
        }
        if stores.count > 1, generator.chance(0.3) {
            let store = generator.below(stores.count)
            stores[store].formUnion(stores[(store + 1 + generator.below(stores.count - 1)) % stores.count])
        }
        if generator.chance(0.05) { read(generator.below(writers.count)) }
    }

    private mutating func nameChange(_ chance: Double) -> NameChange {
        guard chance > 0, generator.chance(chance) else { return .none }
        return .set(generator.pick([nil, bytes("a"), bytes("b"), bytes("c")]))
    }

    /// Conflicts that are unresolved in the writer's version; now and then an id that does not
    /// exist.
    private mutating func resolves(_ version: Version) -> [ConflictID] {
        guard options.resolves > 0, generator.chance(options.resolves) else { return [] }
        let naive = NaiveConflicts(events, naming: .cheap)
        var ids = naive.unresolved(in: NaiveWalk(events).closure(version)).map(\.id).filter { _ in generator.chance(0.7) }
        if generator.chance(0.1) { ids.append(ConflictID(high: generator.next(), low: generator.next())) }
        return ids
    }

    /// The writer sees everything that its store holds.
    private mutating func read(_ number: Int) {
        var view = View(limits: generator.chance(0.5) ? .tiny : WalkLimits())
        view.append(contentsOf: events.filter { stores[writers[number].store].contains($0.dot) })
        writers[number].version = view.version
        writers[number].text = view.text
    }

    private mutating func statedEdits(_ text: [UInt8]) -> [Edit] {
        var edits: [Edit] = []
        var least = 0
        for _ in 0..<generator.pick(options.statedEdits) {
            let limit = linesLimit(text)
            let start = generator.boundary(in: limit < least ? text : Array(text[..<limit]), from: least)
            var end = generator.chance(0.6) ? start : generator.boundary(in: text, from: start)
            if generator.chance(0.5) { while end > start + 3 || (end < text.count && text[end] & 0xC0 == 0x80) { end -= 1 } }
            let length = generator.pick([0, 1, 1, 2, 4])
            let replacement = (0..<length).map { _ in generator.pick(options.alphabet + ["\n"]) }.joined()
            edits.append(Edit(start, max(start, end), replacement))
            least = max(start, end)
        }
        return edits
    }

    /// The end of the lines that are written in.
    private func linesLimit(_ text: [UInt8]) -> Int {
        let lines = Lines(text)
        return lines.bounds[min(lines.count, options.linesMax ?? .max)]
    }

    private mutating func savedEdits(_ text: [UInt8]) -> [Edit] {
        let lines = Lines(text)
        var saved = (0..<lines.count).map { Array(lines[$0]) }
        for _ in 0..<generator.pick([1, 1, 2]) {
            let at = generator.below(min(saved.count, options.linesMax ?? .max) + 1)
            let new = (0..<generator.below(3)).map { _ in
                bytes((0..<generator.pick([0, 1, 1, 2])).map { _ in generator.pick(options.alphabet) }.joined() + "\n")
            }
            saved.replaceSubrange(at..<min(saved.count, at + generator.below(3)), with: new)
        }
        var result = saved.flatMap { $0 }
        if generator.chance(0.15), result.last == UInt8(ascii: "\n") { result.removeLast() }
        return LineDiff.edits(from: text, to: result)
    }
}
