import TextMerge

/// Decides on which text of a file a program made a new text, X.
///
/// A file does not say what its writer had loaded. A user who deletes a line that has just arrived, and
/// an editor that saves a buffer older than the line, leave the same bytes. That a program has read the
/// file proves nothing: editors and indexers read each changed file, and editors keep showing the old
/// text. So the rule uses the texts alone. A buffer cannot contain a line that arrived after it was
/// loaded.
///
/// `docs/decisions/files.md#0089` has the rule, R1 to R11, and what it was measured on. Here
/// are R2 to R6 and R9; `Fitting` has R7, and `TakenOut` has R8 and R11. The *birth* of a line is the first
/// text of the list that has it.
struct BaseRule {
    /// How a program wrote the file.
    enum Way: Hashable, Sendable {
        /// The name was deleted and made anew in a folder with `.git`: git has compared what it overwrote.
        case git
        case other
    }

    enum Answer: Hashable, Sendable {
        /// The number of the base in the list.
        case base(Int)
        /// The number of an entry whose text decides. Hashed lines do not say whether a line is an altered
        /// form of another, so the caller reads that text and asks again.
        case needs(Int)
    }

    let shown: ShownTexts
    let lines: [ArraySlice<UInt8>]
    let text: LineMarks
    let time: Int64
    let way: Way
    let diff: @Sendable ([LineMarks.Line], [LineMarks.Line]) -> [LineHunk]

    /// How often X has each line.
    let own: [LineMarks.Line: Int]
    /// How often each text of the list has each line.
    let counts: [[LineMarks.Line: Int]]
    /// The index of the first text that has a line, for all lines of the list.
    let birth: [LineMarks.Line: Int]
    /// The telling lines of X that prove something by their birth: they were born in the list, not in its
    /// oldest text, and not in a first text that is in doubt (R5).
    let young: Set<LineMarks.Line>

    /// How long a text must be in the file so that a program may have loaded it (R9), in milliseconds.
    private static let answerTime: Int64 = 2_000
    /// How long a first text is in doubt, and *no file* may be the base (R5), in milliseconds.
    private static let doubtTime: Int64 = 3_600_000

    /// - Parameters:
    ///   - text: X.
    ///   - time: when X was found, in milliseconds since 1970.
    ///   - diff: the hunks between two texts.
    /// - Complexity: O(lines of the list).
    init(
        of text: [UInt8], in shown: ShownTexts, at time: Int64, how way: Way,
        diff: @escaping @Sendable ([LineMarks.Line], [LineMarks.Line]) -> [LineHunk] = LineHunks.between
    ) {
        (self.shown, self.time, self.way, self.diff) = (shown, time, way, diff)
        lines = LineMarks.split(text)
        let marks = LineMarks(lines: lines.map { LineMarks.Line($0) })
        self.text = marks
        own = marks.counts
        counts = shown.entries.map(\.text.counts)
        birth = counts.enumerated().reduce(into: [:]) { birth, text in
            for line in text.element.keys where birth[line] == nil { birth[line] = text.offset }
        }
        let telling = marks.telling
        let proving = Self.isFirstTextInDoubt(telling, shown, time) ? 2 : 1
        young = telling.filter { [birth] in birth[$0, default: 0] >= proving }
    }

    /// The base of X, or the entry whose text has to be read first.
    ///
    /// - Complexity: O(lines of the list), and a few diffs at most.
    func base(with texts: KeptTexts = KeptTexts()) -> Answer {
        let newest = shown.entries.count - 1
        func base(_ index: Int) -> Answer { .base(shown.firstNumber + index) }
        if way == .git || isAddedAtEnd || lacksOnlyWhatWasPutBack { return base(newest) }
        var floor = floor
        if floor == 0, shown.entries[0].kind == .noFile {
            switch grownText(texts) {
            case .needs(let number): return .needs(number)
            case .base(let number): floor = number - shown.firstNumber
            case nil: break
            }
        }
        let fitting = Fitting(self, floor: floor, texts)
        for index in stride(from: newest, to: fitting.floor, by: -1) {
            switch fitting.fits(index) {
            case .yes: return base(index)
            case .no: continue
            case .needs(let index): return .needs(shown.firstNumber + index)
            }
        }
        return base(fitting.floor)
    }

    /// The number of the base of X.
    ///
    /// - Parameter read: the text of the entry's version, or else of its joined version, by the number of
    ///   the entry; nil if it cannot be read any more.
    func base(reading read: (Int) throws -> [UInt8]?) rethrows -> Int {
        var texts = KeptTexts()
        while true {
            switch base(with: texts) {
            case .base(let number): return number
            case .needs(let number): texts.add(try read(number), at: number)
            }
        }
    }

    /// R3: whether X begins with the whole newest text, and the telling lines after it are new, as after `>>`.
    private var isAddedAtEnd: Bool {
        let (newest, index) = (shown.text.lines, shown.entries.count - 1)
        return !newest.isEmpty && text.lines.starts(with: newest)
            && !text.lines.dropFirst(newest.count).contains { $0.tells && birth[$0, default: index] < index }
    }

    /// R9: whether the newest text is the answer to the last save, and X only lacks lines that the answer
    /// had put back. So a second deletion counts.
    private var lacksOnlyWhatWasPutBack: Bool {
        guard let last = shown.entries.last, last.isAnswer, time - last.time >= Self.answerTime else { return false }
        return text.surplus(over: last.text).isEmpty
            && last.text.surplus(over: text).allSatisfy { $0.value <= shown.putBack[$0.key, default: 0] }
    }

    /// R5: whether lines of the first text of a file may come from a template instead, because X has no
    /// more than half of those that tell.
    private static func isFirstTextInDoubt(_ telling: Set<LineMarks.Line>, _ shown: ShownTexts, _ time: Int64) -> Bool {
        guard shown.entries[0].kind == .noFile, shown.entries.count > 1, time - shown.entries[1].time < doubtTime else {
            return false
        }
        let first = shown.entries[1].text.telling
        return 2 * first.intersection(telling).count <= first.count
    }

    /// R4 to R6: the oldest text that may be the base, as an index.
    var floor: Int {
        let entries = shown.entries
        var least = young.reduce(0) { max($0, birth[$1, default: 0]) }
        if let old = entries.lastIndex(where: { time - $0.time >= ShownTexts.dayTime }) { least = max(least, old) }
        if entries[0].kind == .noFile, entries.count > 1, time - entries[1].time >= Self.doubtTime { least = max(least, 1) }
        if least == 0, entries[0].kind != .noFile, !text.lines.isEmpty, isAllNew {
            least = entries.lastIndex { $0.kind == .program } ?? 0
        }
        var (floor, most) = (least, -1)
        for index in least..<entries.count {
            let have = young.count { counts[index][$0] != nil }
            if have > most { (floor, most) = (index, have) }
        }
        return floor == 0 && entries[0].kind == .noFile ? newestMadeOnNothing : floor
    }

    /// R5: the newest or the first text of which X has all lines, typed on or not. Nothing is lost if it is the
    /// base instead of *no file*, and lines that are typed on do not stand twice.
    private func grownText(_ texts: KeptTexts) -> Answer? {
        for index in Set([shown.entries.count - 1, 1]).sorted(by: >) where index > 0 && index < shown.entries.count {
            let entry = shown.entries[index]
            let missing = entry.text.lines.indices.filter { entry.text.lines[$0].hasLetter && own[entry.text.lines[$0]] == nil }
            let read: [ArraySlice<UInt8>]
            switch missing.isEmpty ? .read([]) : texts.lines(of: entry, number: shown.firstNumber + index) {
            case .notRead: return .needs(shown.firstNumber + index)
            case .unreadable: continue
            case .read(let lines): read = lines
            }
            if missing.allSatisfy({ position in lines.contains { $0.starts(with: read[position]) } }) {
                return .base(shown.firstNumber + index)
            }
        }
        return nil
    }

    /// R6: whether X has no line with a letter in common with the list.
    private var isAllNew: Bool {
        !own.keys.contains { $0.hasLetter && birth[$0] != nil }
    }

    /// R5: the newest program's text whose base is *no file* or another such text. A program that had
    /// loaded nothing and has saved once is the likely writer of X. *No file* if the list has no such text.
    private var newestMadeOnNothing: Int {
        var chain: Set = [0]
        for (index, entry) in shown.entries.enumerated() where entry.kind == .program {
            if let base = entry.base.flatMap({ shown.index(of: $0) }), chain.contains(base) { chain.insert(index) }
        }
        return chain.max() ?? 0
    }
}
