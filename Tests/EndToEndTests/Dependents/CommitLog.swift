import Causality
import NotesModel

/// Every commit of a run, as its writers were answered, in commit order: the truth that watches are held to.
///
/// Each answered write is one commit, and commits are numbered without a gap. A run counts its dots from 1, one a commit, so on a
/// store that it began a dot's counter is the number of its commit. That is no more than a guess to begin with: a watch whose
/// lines show anything else at that number is found out at once.
///
/// Answers of several connections come in any order. A commit is in the log when all before it are.
struct CommitLog {
    struct Commit: Sendable {
        /// The place of the note among those that were answered.
        let note: Int
        /// The note's commit before; 0 for none.
        let previous: UInt64
        let shown: Shown
        /// The dependent that wrote.
        let origin: UInt64
    }

    /// What a note shows.
    struct Shown: Sendable {
        let version: Digest
        let isDeleted: Bool
        /// As UTF-8.
        let text: [UInt8]
    }

    private struct Answer {
        let note: Digest
        let shown: Shown
        let origin: UInt64
    }

    /// The last commit before those that are of interest.
    let begin: UInt64
    /// The run's id, in its cursors.
    let replica: Digest
    private var commits: [Commit] = []
    private var notes: [Digest: Int] = [:]
    /// Of each note; 0 where it has none yet.
    private var newestOf: [UInt64] = []
    private var early: [UInt64: Answer] = [:]

    init(begin: UInt64, replica: Digest) {
        self.begin = begin
        self.replica = replica
    }

    /// The newest commit up to which all are known.
    var newest: UInt64 { begin + UInt64(commits.count) }
    var notesCount: Int { newestOf.count }
    /// Whether no answer waits for those before it.
    var isWhole: Bool { early.isEmpty }

    /// Whether the commit was answered, though not all before it were.
    func isEarly(_ number: UInt64) -> Bool { early[number] != nil }

    subscript(_ number: UInt64) -> Commit? {
        number > begin && number <= newest ? commits[Int(number - begin) - 1] : nil
    }

    func note(_ id: Digest) -> Int? { notes[id] }

    func newest(of note: Int) -> UInt64 { newestOf[note] }

    /// The note's newest commit at or before that one; 0 for none.
    ///
    /// - Complexity: O(commits of the note after it).
    func newest(of note: Int, through number: UInt64) -> UInt64 {
        var commit = newestOf[note]
        while commit > number { commit = self[commit]?.previous ?? 0 }
        return commit
    }

    /// Takes in what a write was answered.
    mutating func answered(_ dot: Dot, note: Digest, shown: Shown, origin: UInt64) {
        early[dot.counter] = Answer(note: note, shown: shown, origin: origin)
        while let answer = early.removeValue(forKey: newest + 1) { append(answer) }
    }

    private mutating func append(_ answer: Answer) {
        let note = notes[answer.note] ?? newestOf.count
        if note == newestOf.count {
            notes[answer.note] = note
            newestOf.append(0)
        }
        commits.append(Commit(note: note, previous: newestOf[note], shown: answer.shown, origin: answer.origin))
        newestOf[note] = newest
    }
}
