import Causality

/// The texts that the file of a note has had, oldest first: those that the mirror put there, and those
/// that programs saved. `BaseRule` finds in this list the text on which a program made a new one.
///
/// Each text has a *number*, which stays the same when older texts go, so that the links of programs'
/// texts to their bases stay right.
package struct ShownTexts: Hashable, Sendable {
    enum Kind: UInt64, Hashable, Sendable {
        /// There was no file. Only the oldest text of a file that the mirror made.
        case noFile
        /// The mirror put the text into the file.
        case mirror
        /// A program saved the text.
        case program
    }

    struct Entry: Hashable, Sendable {
        /// The version with exactly this text. Nil for *no file*, and for a program's text that the mirror
        /// joined with the note's, since no version has that text alone.
        fileprivate(set) var version: Version?
        /// The version with the joined text, for a program's text that was joined. It has all lines of
        /// this text, in their order.
        let joined: Version?
        let text: LineMarks
        let kind: Kind
        /// When the text came into the file, in milliseconds since 1970.
        let time: Int64
        /// Whether the mirror put the text in because the note had another text than a program had saved.
        let isAnswer: Bool
        /// The number of the text on which a program's text was made; nil for other texts. That text may
        /// have left the list.
        let base: Int?

        init(
            version: Version?, joined: Version? = nil, text: LineMarks, kind: Kind, time: Int64, isAnswer: Bool = false,
            base: Int? = nil
        ) {
            (self.version, self.joined, self.text, self.kind) = (version, joined, text, kind)
            (self.time, self.isAnswer, self.base) = (time, isAnswer, base)
        }
    }

    /// Never empty.
    private(set) var entries: [Entry]
    /// The number of the oldest text of the list.
    private(set) var firstNumber: Int
    /// The lines that the answer to the last save put back, with their number.
    private(set) var putBack: [LineMarks.Line: Int]
    /// Whether the next text that the mirror puts in is the answer to a save.
    private(set) var isAnswerDue: Bool

    /// With 16 texts, windows that are open for long lose lines 30 times as often beside busy clients.
    static let textsMax = 64
    /// Most lines of all texts.
    static let linesMax = 50_000
    /// Each program is taken to have loaded a text that came into the file so long ago, in milliseconds.
    static let dayTime: Int64 = 86_400_000

    /// The list of a file with one text.
    ///
    /// - Parameter version: nil or `.nothing` if no version has that text.
    init(_ version: Version?, _ text: LineMarks, kind: Kind = .mirror, at time: Int64) {
        self.init(entries: [Entry(version: version == .nothing ? nil : version, text: text, kind: kind, time: time)])
    }

    /// The list of a file that the mirror is about to make.
    static func noFile(at time: Int64) -> ShownTexts { ShownTexts(nil, LineMarks(lines: []), kind: .noFile, at: time) }

    /// The list of a file whose writer has seen nothing of the note, before the mirror writes the lines of
    /// both into it.
    ///
    /// - Parameter version: the version with the lines of both.
    static func joined(_ text: LineMarks, in version: Version, at time: Int64) -> ShownTexts {
        ShownTexts(entries: [Entry(version: nil, joined: version, text: text, kind: .program, time: time)], isAnswerDue: true)
    }

    /// The number of the newest text with a version; the oldest text's if none has it.
    func number(of version: Version) -> Int {
        firstNumber + (entries.lastIndex { $0.version == version } ?? 0)
    }

    /// - Precondition: there is an entry.
    init(entries: [Entry], firstNumber: Int = 0, putBack: [LineMarks.Line: Int] = [:], isAnswerDue: Bool = false) {
        precondition(!entries.isEmpty, "a file has had a text")
        (self.entries, self.firstNumber, self.putBack) = (entries, firstNumber, putBack)
        self.isAnswerDue = isAnswerDue
    }

    /// The text that came into the file last.
    var text: LineMarks { entries.last?.text ?? LineMarks(lines: []) }

    /// The text with a number; nil if it has left the list.
    subscript(number: Int) -> Entry? { index(of: number).map { entries[$0] } }

    func index(of number: Int) -> Int? {
        let (index, isOverflow) = number.subtractingReportingOverflow(firstNumber)
        return !isOverflow && entries.indices.contains(index) ? index : nil
    }

    /// The index of the text that came before a text: for a program's text its base, unless that has left
    /// the list. Nil for the oldest text.
    func before(_ index: Int) -> Int? {
        if let base = entries[index].base.flatMap({ self.index(of: $0) }), base < index { return base }
        return index > 0 ? index - 1 : nil
    }

    /// Records that the mirror put a text into the file.
    mutating func put(_ version: Version, _ text: LineMarks, at time: Int64) {
        if isAnswerDue { putBack = text.surplus(over: self.text) }
        append(Entry(version: version, text: text, kind: .mirror, time: time, isAnswer: isAnswerDue))
        isAnswerDue = false
    }

    /// Records that the mirror put a text into the file for a moment, over the newest text, which the file has
    /// again. A program may have loaded either.
    mutating func putForAMoment(_ version: Version, _ text: LineMarks, at time: Int64) {
        append(Entry(version: version, text: text, kind: .mirror, time: time))
    }

    /// Records that a version of the note has the text that the file has. A program that loads the file
    /// has then seen all of that version.
    mutating func agree(on version: Version) {
        isAnswerDue = false
        if entries[entries.count - 1].kind != .noFile { entries[entries.count - 1].version = version }
    }

    /// Records that a program's text was saved.
    ///
    /// - Parameters:
    ///   - version: the version of exactly this text; nil if the text was joined.
    ///   - joined: the version of the joined text, if the text was joined.
    ///   - base: the number that `BaseRule` chose for the text.
    ///   - isAnswered: whether the note has another text than the file, so that the next text that the
    ///     mirror puts in is the answer. This is also the case if the save equalled its base.
    mutating func saved(
        _ text: LineMarks, as version: Version?, joined: Version? = nil, on base: Int, at time: Int64, isAnswered: Bool
    ) {
        append(Entry(version: version, joined: joined, text: text, kind: .program, time: time, base: base))
        (putBack, isAnswerDue) = ([:], isAnswered)
    }

    /// Adds a text, and removes the oldest ones beyond the limits. Of the texts that came a day ago or
    /// earlier, only the newest stays. The newest text of all always stays.
    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        var first = max(0, entries.count - Self.textsMax)
        if let old = entries.lastIndex(where: { entry.time - $0.time >= Self.dayTime }) { first = max(first, old) }
        var lines = entries[first...].reduce(0) { $0 + $1.text.lines.count }
        while lines > Self.linesMax, first < entries.count - 1 {
            lines -= entries[first].text.lines.count
            first += 1
        }
        entries.removeFirst(first)
        firstNumber += first
    }
}
