import Causality
import Console
package import NotesModel

/// The result of a mirror's last look at its folder and the notes, as `mirror status` shows it.
package struct MirrorState: Hashable {
    /// A file or a note that is not in step.
    package struct Waiting: Hashable {
        enum Kind: String {
            /// The file is gone, and a person has to approve that its note is deleted.
            case held
            /// The file or the note cannot be taken until a person changes something.
            case skipped = "left"
            /// The daemon refuses the write for now.
            case refused
            /// A program has the file open for writing.
            case writing
            /// The bytes of the note's file are not in the store yet.
            case missing
            /// The store leaves the bytes of the note's file to other stores.
            case declined

            /// Whether a mirror prints no message, since nobody has to do anything.
            var isQuiet: Bool { [.writing, .missing, .declined].contains(self) }
        }

        /// Path below the folder.
        package let path: [UInt8]
        let kind: Kind
        /// The sentence that says why, and what to do.
        let reason: String
        /// The record of the file, if its note is to be deleted.
        package var removal: Removal?
        /// The time at which a person approved the removal; nil if nobody did.
        var approved: Timestamp?
    }

    /// The removal of a file: the note to delete, and the version that the file showed.
    package struct Removal: Hashable {
        package let note: NoteID
        let version: Version
    }

    /// The time of the look.
    var looked: Timestamp
    /// The last time at which nothing was waiting; nil if that was never so.
    var inStep: Timestamp?
    var notes: Int
    /// The number of notes in conflict.
    package var conflicts: Int
    /// The error that ended the look; nil for none.
    var failure: String?
    /// Sorted by path, at most one for each path.
    var waiting: [Waiting]

    /// Whether the files had the texts of the notes, and the bytes that the store takes.
    package var isInStep: Bool { failure == nil && waiting.allSatisfy { $0.kind == .declined } }

    /// The removals that wait for a person, by path.
    var held: [[UInt8]: Removal] {
        waiting.reduce(into: [:]) { if $1.kind == .held { $0[$1.path] = $1.removal } }
    }

    /// How long an approval counts, in milliseconds. A mirror that starts much later may find a folder in
    /// which other things have happened.
    static let approvalTime: Int64 = 3_600_000

    /// How old the recorded time of a look may become while nothing else changes, in milliseconds.
    static let lookedTime: Int64 = 60_000

    /// Whether the state differs from another one in more than its times, so that it has to be recorded.
    func isNews(after other: MirrorState) -> Bool {
        var same = self
        (same.looked, same.inStep) = (other.looked, other.inStep)
        return same != other || looked.milliseconds.minus(clamping: other.looked.milliseconds) >= Self.lookedTime
    }
}
