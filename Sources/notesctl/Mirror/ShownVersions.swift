import Causality

/// The versions of a note that its file has shown, and the rule that decides on which of them a text
/// in the file was written.
///
/// A file does not say what its writer had loaded. A user who deletes a line that has just arrived, and
/// an editor that saves a buffer older than the line, leave the same bytes. That a program has read the
/// file proves nothing: editors and indexers read each changed file, and editors keep showing the old
/// text. So the rule uses the texts alone. A buffer cannot contain a line that arrived after it was
/// loaded.
///
/// A *showing* is a text that the mirror put into the file. A *telling line* of a showing is a line with
/// at least eight letters and digits that no older text of the list has. The base of a text is
///
/// 1. the newest showing of which the text has a telling line, since its writer had loaded that
///    showing or a later one;
/// 2. if there is none, the text that a program wrote last; or the one before it, and so on, if the text
///    lacks all telling lines that the last one was known to have (*levels*). Another program then wrote
///    in between, such as a script that appended, and the writer has not loaded that;
/// 3. from there on, each following showing of which the text keeps everything: all lines that it
///    brought, and none that it removed;
/// 4. the newest showing, if the mirror wrote it as the answer to the last save at least two seconds
///    ago, and the text only lacks lines that this answer had put back. So a second deletion counts,
///    also of a line whose first deletion was no change of the base;
/// 5. at least each showing that has been in the file for a day.
///
/// Simulations with real notes chose the rule and its numbers: of 1,000 saves by editors with stale
/// buffers, taking the newest showing as the base loses up to 1,041 lines that others wrote, and this
/// rule none if no second program writes the file.
struct ShownVersions: Hashable, Sendable {
    /// A text that a program wrote, and which lines prove that a text was written by somebody who had
    /// loaded it.
    struct Level: Hashable, Sendable {
        let version: Version
        let telling: Set<LineMarks.Line>
        /// All lines of the text that tell.
        let own: Set<LineMarks.Line>
    }

    /// A text that the mirror wrote into the file.
    struct Showing: Hashable, Sendable {
        let version: Version
        let text: LineMarks
        /// Milliseconds since 1970.
        let time: Int64
        /// Whether it is what the daemon made of the last save.
        let isAnswer: Bool
    }

    /// The choice of a base.
    struct Choice: Hashable, Sendable {
        let version: Version
        /// The index of the showing in `showings`; nil if the base is a level.
        fileprivate(set) var showing: Int?
        /// The index of the level in `levels`.
        fileprivate(set) var level: Int
    }

    /// The texts that programs wrote, oldest first; never empty.
    private(set) var levels: [Level]
    /// The text of the newest level.
    private(set) var written: LineMarks
    /// The showings since then, oldest first.
    private(set) var showings: [Showing] = []
    /// The lines that the answer to the last save put back, with their number.
    private(set) var putBack: [LineMarks.Line: Int] = [:]
    /// Whether the next showing is the answer to a save.
    private(set) var isAnswerDue = false

    /// The text that the file shows.
    var text: LineMarks { showings.last?.text ?? written }

    static let levelsMax = 8
    static let showingsMax = 16
    /// Most lines of all showings; the oldest showings go first.
    static let linesMax = 50_000
    /// How long a showing must be in the file for rules 4 and 5, in milliseconds.
    private static let answerTime: Int64 = 2_000
    private static let provedTime: Int64 = 86_400_000

    /// - Parameters:
    ///   - version: the version that the file has shown so far.
    ///   - text: its text, if known.
    init(_ version: Version, _ text: LineMarks = LineMarks(lines: [])) {
        levels = [Level(version: version, telling: [], own: text.telling)]
        written = text
    }

    /// The versions of a file whose writer has seen nothing of the note, before the mirror writes the lines
    /// of both into it.
    static func joined(_ text: LineMarks) -> ShownVersions {
        ShownVersions(
            levels: [Level(version: .nothing, telling: [], own: text.telling)], written: text, showings: [], putBack: [:],
            isAnswerDue: true)
    }

    /// - Precondition: there is a level.
    init(
        levels: [Level], written: LineMarks, showings: [Showing], putBack: [LineMarks.Line: Int], isAnswerDue: Bool
    ) {
        precondition(!levels.isEmpty, "a file has shown a version")
        (self.levels, self.written, self.showings, self.putBack) = (levels, written, showings, putBack)
        self.isAnswerDue = isAnswerDue
    }

    /// Records that the mirror wrote a text into the file.
    ///
    /// - Parameter time: milliseconds since 1970.
    mutating func put(_ version: Version, _ text: LineMarks, at time: Int64) {
        if isAnswerDue { putBack = text.surplus(over: written) }
        showings.append(Showing(version: version, text: text, time: time, isAnswer: isAnswerDue))
        isAnswerDue = false
        while showings.count > Self.showingsMax
            || showings.count > 1 && showings.reduce(0, { $0 + $1.text.lines.count }) > Self.linesMax
        {
            showings.removeFirst()
        }
    }

    /// Records that the note has a newer version with the text that the file shows. A program that loads
    /// the file has then seen all of that version.
    mutating func agree(on version: Version) {
        isAnswerDue = false
        if let last = showings.popLast() {
            showings.append(Showing(version: version, text: last.text, time: last.time, isAnswer: last.isAnswer))
        } else if let last = levels.popLast() {
            levels.append(Level(version: version, telling: last.telling, own: last.own))
        }
    }

    /// Chooses the base of a text that a program wrote.
    ///
    /// - Complexity: O(lines of all showings).
    func base(of text: LineMarks, at time: Int64) -> Choice {
        let telling = text.telling
        var known = written.telling
        var proved: Int?
        for (index, showing) in showings.enumerated() {
            let lines = showing.text.telling
            if !lines.subtracting(known).isDisjoint(with: telling) || time - showing.time >= Self.provedTime { proved = index }
            known.formUnion(lines)
        }
        var level = levels.count - 1
        if proved == nil {
            while level > 0, !levels[level].telling.isEmpty, levels[level].telling.isDisjoint(with: telling) { level -= 1 }
        }
        guard level == levels.count - 1 else { return Choice(version: levels[level].version, showing: nil, level: level) }
        var before = proved.map { showings[$0].text } ?? written
        for index in ((proved ?? -1) + 1)..<max(showings.count, (proved ?? -1) + 1) {
            guard Self.keepsAll(of: showings[index].text, from: before, in: text) else { break }
            (proved, before) = (index, showings[index].text)
        }
        if let last = showings.last, proved != showings.count - 1, last.isAnswer, time - last.time >= Self.answerTime,
            text.surplus(over: last.text).isEmpty,
            last.text.surplus(over: text).allSatisfy({ $0.value <= putBack[$0.key, default: 0] })
        {
            proved = showings.count - 1
        }
        return Choice(version: proved.map { showings[$0].version } ?? levels[level].version, showing: proved, level: level)
    }

    /// Records that a text was saved.
    ///
    /// - Parameters:
    ///   - version: the version of exactly this text.
    ///   - choice: what `base(of:at:)` returned for it.
    ///   - isAnswered: whether the note has another text, so that the next showing is the answer.
    mutating func saved(_ text: LineMarks, as version: Version, on choice: Choice, isAnswered: Bool) {
        let telling = text.telling
        var kept: Set<LineMarks.Line>
        if let showing = choice.showing, showings.indices.contains(showing) {
            let old = written.telling
            kept = showings[...showing].reduce(into: []) { $0.formUnion($1.text.telling.subtracting(old)) }
            kept.formUnion(telling.subtracting(showings[showing].text.telling))
        } else {
            let level = levels[min(choice.level, levels.count - 1)]
            // A level that no line proves stays one, and the levels above the chosen one go.
            kept = level.telling.isEmpty ? [] : level.telling.union(telling.subtracting(level.own))
            levels.removeSubrange(min(choice.level, levels.count - 1)...)
        }
        levels.append(Level(version: version, telling: kept.intersection(telling), own: telling))
        if levels.count > Self.levelsMax { levels.removeFirst() }
        (written, showings, putBack, isAnswerDue) = (text, [], [:], isAnswered)
    }

    /// Whether a text has all lines that a change brought, and none that it removed.
    static func keepsAll(of changed: LineMarks, from base: LineMarks, in text: LineMarks) -> Bool {
        let (now, after) = (text.counts, changed.counts)
        return changed.surplus(over: base).keys.allSatisfy { now[$0, default: 0] >= after[$0, default: 0] }
            && base.surplus(over: changed).keys.allSatisfy { now[$0, default: 0] <= after[$0, default: 0] }
    }
}
