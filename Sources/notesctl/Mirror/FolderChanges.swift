import NotesModel

/// The recorded files that are no longer in a folder, divided into renamed and removed ones.
///
/// A file whose text is at one new path, and at no other, was renamed. The text is compared by its
/// SHA-256. An empty file is never taken for another one.
struct FolderChanges: Equatable {
    /// A file that was renamed.
    struct Move: Equatable {
        let from: [UInt8]
        let to: [UInt8]
        let record: FileRecord
    }

    /// A file that was removed.
    struct Gone: Equatable {
        let path: [UInt8]
        let record: FileRecord

        /// The deletion that the removal causes.
        var removal: MirrorState.Removal { MirrorState.Removal(note: record.note, version: record.version) }
    }

    /// A file without a record.
    struct Fresh: Equatable {
        let path: [UInt8]
        /// Size in bytes.
        let bytes: Int
        /// SHA-256 of the bytes.
        let digest: [UInt8]
    }

    /// The renamed files, sorted by the former path.
    private(set) var moves: [Move] = []
    /// The removed files, sorted by path.
    private(set) var gone: [Gone] = []

    private struct Text: Hashable {
        let bytes: Int
        let digest: [UInt8]
    }

    /// - Parameters:
    ///   - missing: the recorded files that are not in the folder.
    ///   - fresh: the files in the folder that have no record.
    /// - Complexity: O(n log n) in the number of files.
    init(missing: [[UInt8]: FileRecord], fresh: [Fresh]) {
        let former = Dictionary(grouping: missing) { Text(bytes: $0.value.bytes, digest: $0.value.digest) }
        let new = Dictionary(grouping: fresh) { Text(bytes: $0.bytes, digest: $0.digest) }
        for (path, record) in missing.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let text = Text(bytes: record.bytes, digest: record.digest)
            if record.bytes > 0, former[text]?.count == 1, let found = new[text], found.count == 1 {
                moves.append(Move(from: path, to: found[0].path, record: record))
            } else {
                gone.append(Gone(path: path, record: record))
            }
        }
    }

    /// Whether so many files are gone that the folder is more likely emptied, replaced or not mounted
    /// than tidied up. A person then decides about the notes.
    ///
    /// - Parameters:
    ///   - gone: the number of files that are gone.
    ///   - recorded: the number of recorded files, including those.
    static func isMany(gone: Int, of recorded: Int) -> Bool {
        gone > 0 && (gone == recorded || gone > 1_000 || gone > max(50, recorded / 20))
    }

    /// Divides removed files into those that wait for a person and those whose notes are deleted. Files
    /// that are gone besides the approved ones are judged without these.
    ///
    /// - Parameters:
    ///   - approved: the removals that a person has approved, by path.
    ///   - recorded: the number of recorded files, including those that are gone.
    static func divided(
        _ gone: [Gone], approved: [[UInt8]: MirrorState.Removal], of recorded: Int
    ) -> (held: [Gone], certain: [Gone]) {
        let rest = gone.filter { approved[$0.path] != $0.removal }
        guard isMany(gone: rest.count, of: recorded - (gone.count - rest.count)) else { return ([], gone) }
        return (rest, gone.filter { approved[$0.path] == $0.removal })
    }
}
