import Causality
import NotesModel
import NotesStore

extension OpenConflict {
    /// The sides of the conflict with their contents and writers.
    ///
    /// - Parameters:
    ///   - contents: the content of each side.
    ///   - writer: the author and the time of a revision; nil if it is missing.
    func sides(
        with contents: [ConflictContent],
        writtenBy writer: (Dot) throws(JournalError) -> (author: Author, time: Timestamp)?
    ) throws(JournalError) -> [ConflictSide] {
        var sides: [ConflictSide] = []
        for (dot, content) in zip(self.sides, contents) {
            guard let (author, time) = try writer(dot) else {
                throw .failed("revision \(dot), a side of conflict \(id), is missing")
            }
            sides.append(
                ConflictSide(
                    dot: dot, isWithdrawn: withdrawn.contains(dot), author: author, modified: time, content: content))
        }
        return sides
    }
}
