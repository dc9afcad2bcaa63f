import Causality
import NotesModel

/// All commits of a run in commit order, taken from the responses to the writers: the reference for
/// checking watches.
///
/// Each acknowledged write is one commit, and commits are numbered without gaps. A run numbers its
/// dots from 1, one per commit, so on a store that the run created, a dot's counter equals its
/// commit's number. A watch whose lines disagree with this assumption is found at once.
///
/// Responses on different connections arrive in any order. A commit is in the log once all before
/// it are.
struct CommitLog {
    struct Commit: Sendable {
        /// The index of the note among those acknowledged.
        let note: Int
        /// The note's previous commit; 0 for none.
        let previous: UInt64
        let shown: Shown
        /// The dependent that made the commit.
        let origin: UInt64
    }

    /// The state of a note.
    struct Shown: Sendable {
        let version: Digest
        let isDeleted: Bool
        /// The text, as UTF-8.
        let text: [UInt8]
    }

    private struct Answer {
        let note: Digest
        let shown: Shown
        let origin: UInt64
    }

    /// The last commit before the relevant ones.
    let begin: UInt64
    /// The id of the run, as in its cursors.
    let replica: Digest
    private var commits: [Commit] = []
    private var notes: [Digest: Int] = [:]
    /// The newest commit of each note; 0 for none.
    private var newestOf: [UInt64] = []
    private var early: [UInt64: Answer] = [:]

    init(begin: UInt64, replica: Digest) {
        self.begin = begin
        self.replica = replica
    }

    /// The newest commit up to which all are known.
    var newest: UInt64 { begin + UInt64(commits.count) }
    var notesCount: Int { newestOf.count }
    /// Whether no response is waiting for an earlier one.
    var isWhole: Bool { early.isEmpty }

    /// Whether the commit was acknowledged while an earlier one is still missing.
    func isEarly(_ number: UInt64) -> Bool { early[number] != nil }

    subscript(_ number: UInt64) -> Commit? {
        number > begin && number <= newest ? commits[Int(number - begin) - 1] : nil
    }

    func note(_ id: Digest) -> Int? { notes[id] }

    func newest(of note: Int) -> UInt64 { newestOf[note] }

    /// The note's newest commit at or before another; 0 for none.
    ///
    /// - Complexity: O(commits of the note after it).
    func newest(of note: Int, through number: UInt64) -> UInt64 {
        var commit = newestOf[note]
        while commit > number { commit = self[commit]?.previous ?? 0 }
        return commit
    }

    /// Records the response to a write.
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
