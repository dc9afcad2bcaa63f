import NoteText
import NotesModel

/// The recorded files that are no longer in a folder, divided into renamed and removed ones.
///
/// A file whose bytes are at a new path was renamed. The bytes are compared by their SHA-256. Of files with the same
/// bytes, those with the same inode belong together, then those with the same name in another folder, then
/// the only two that are left. An empty file is never taken for another one.
///
/// A recorded file that is still there has another text if another file was renamed onto it. It was itself
/// renamed only if both are so: another recorded file's text is at its path, and its own text is at
/// another one, as in a chain or a ring of renames. Otherwise a program saved it, and it stays the file
/// of its note.
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

    /// A file that does not have the text of a record of its path.
    struct Fresh: Equatable {
        let path: [UInt8]
        let content: FileContent
        /// Nil if unknown.
        var inode: UInt64?
    }

    /// The renamed files, sorted by the former path.
    private(set) var moves: [Move] = []
    /// The removed files, sorted by path.
    private(set) var gone: [Gone] = []

    /// The bytes of a file. A note keeps its kind, so a file with a text's ending is never a renamed one with another ending.
    private struct Content: Hashable {
        let content: FileContent
        let isText: Bool

        init(_ content: FileContent, of path: [UInt8]) {
            (self.content, isText) = (content, NoteFileName.isText(path))
        }
    }

    /// - Parameters:
    ///   - missing: the recorded files that are not in the folder.
    ///   - fresh: the files in the folder that have no record.
    ///   - changed: recorded files with another text than their records, which `records` has.
    ///   - inodes: those of missing files, as far as they are known.
    /// - Complexity: O(n log n) in the number of files, and O(n) more for each ring that is no ring.
    init(
        missing: [[UInt8]: FileRecord], fresh: [Fresh], changed: [Fresh] = [], records: [[UInt8]: FileRecord] = [:],
        inodes: [[UInt8]: UInt64] = [:]
    ) {
        moves = Self.linked(missing, fresh, changed, records)
        let (from, onto) = (Set(moves.map(\.from)), Set(moves.map(\.to)))
        let missing = missing.filter { !from.contains($0.key) }
        let fresh = fresh.filter { !onto.contains($0.path) }
        let former = Dictionary(grouping: missing.keys) { path in
            missing[path].map { Content($0.content, of: path) }
        }
        let new = Dictionary(grouping: fresh) { Content($0.content, of: $0.path) }
        var renamed: [[UInt8]: [UInt8]] = [:]
        for (content, files) in new where content.content.bytes > 0 {
            renamed.merge(Self.pairs(former[content] ?? [], files, inodes)) { one, _ in one }
        }
        for (path, record) in missing.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let other = renamed[path] {
                moves.append(Move(from: path, to: other, record: record))
            } else {
                gone.append(Gone(path: path, record: record))
            }
        }
        moves.sort { $0.from.lexicographicallyPrecedes($1.from) }
    }

    /// The new paths of missing files, by the former ones, for files with one text.
    private static func pairs(
        _ former: [[UInt8]], _ new: [Fresh], _ inodes: [[UInt8]: UInt64]
    ) -> [[UInt8]: [UInt8]] {
        var pairs: [[UInt8]: [UInt8]] = [:]
        var (former, new) = (former, new)
        func pair<Mark: Hashable>(_ ofFormer: ([UInt8]) -> Mark?, _ ofNew: (Fresh) -> Mark?) {
            let (olds, news) = (Dictionary(grouping: former, by: ofFormer), Dictionary(grouping: new, by: ofNew))
            for (mark, paths) in olds where mark != nil && paths.count == 1 {
                guard let found = news[mark], found.count == 1 else { continue }
                pairs[paths[0]] = found[0].path
            }
            let taken = Set(pairs.values)
            former.removeAll { pairs[$0] != nil }
            new.removeAll { taken.contains($0.path) }
        }
        func name(_ path: [UInt8]) -> [UInt8] { Array(path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]) }
        if former.count > 1 || new.count > 1 {
            pair({ inodes[$0] }, { $0.inode })
            pair({ name($0) }, { name($0.path) })
        }
        pair({ _ in true }, { _ in true })
        return pairs
    }

    /// The renames of chains and rings: those with a recorded file that is still there.
    private static func linked(
        _ missing: [[UInt8]: FileRecord], _ fresh: [Fresh], _ changed: [Fresh], _ records: [[UInt8]: FileRecord]
    ) -> [Move] {
        var displaced = missing
        for file in changed where displaced[file.path] == nil { displaced[file.path] = records[file.path] }
        let former = Dictionary(grouping: displaced) { Content($0.value.content, of: $0.key) }
        let new = Dictionary(grouping: fresh + changed) { Content($0.content, of: $0.path) }
        var moves: [[UInt8]: Move] = [:]
        for (content, files) in former where content.content.bytes > 0 && files.count == 1 {
            guard let found = new[content], found.count == 1 else { continue }
            moves[files[0].key] = Move(from: files[0].key, to: found[0].path, record: files[0].value)
        }
        let still = Set(changed.map(\.path))
        while true {
            let onto = Set(moves.values.map(\.to))
            let wrong = moves.values.filter { move in
                still.contains(move.from) && !onto.contains(move.from) || still.contains(move.to) && moves[move.to] == nil
            }
            if wrong.isEmpty { break }
            for move in wrong { moves[move.from] = nil }
        }
        return moves.values.filter { still.contains($0.from) || still.contains($0.to) }
    }

    /// The renames in groups whose notes must give up their names for each other: chains, each from its
    /// end, and rings.
    var groups: [(moves: [Move], isRing: Bool)] {
        var rest = Dictionary(uniqueKeysWithValues: moves.map { ($0.from, $0) })
        let onto = Set(moves.map(\.to))
        var groups: [(moves: [Move], isRing: Bool)] = []
        func taken(from first: [UInt8]) -> [Move] {
            var chain: [Move] = []
            var path = first
            while let move = rest.removeValue(forKey: path) {
                chain.append(move)
                path = move.to
            }
            return chain.reversed()
        }
        for move in moves where !onto.contains(move.from) { groups.append((taken(from: move.from), false)) }
        for move in moves where rest[move.from] != nil { groups.append((taken(from: move.from), true)) }
        return groups
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

    /// Whether so many files became empty that a person has to approve it.
    ///
    /// - Parameter recorded: the number of recorded files that had a text.
    static func isMany(emptied: Int, of recorded: Int) -> Bool { emptied > 10 || emptied > 1 && emptied == recorded }

    /// Divides removed files into those that wait for a person and those whose notes are deleted. Files
    /// that are gone besides the approved ones are judged without these.
    ///
    /// - Parameters:
    ///   - approved: the removals that a person has approved, by path.
    ///   - held: the removals that already waited for a person. They wait on, although files that have come
    ///     since may make them few.
    ///   - recorded: the number of recorded files, including those that are gone.
    static func divided(
        _ gone: [Gone], approved: [[UInt8]: MirrorState.Removal], held: [[UInt8]: MirrorState.Removal] = [:], of recorded: Int
    ) -> (held: [Gone], certain: [Gone]) {
        let rest = gone.filter { approved[$0.path] != $0.removal }
        let isMany = isMany(gone: rest.count, of: recorded - (gone.count - rest.count))
        let waiting = isMany ? rest : rest.filter { held[$0.path] == $0.removal }
        let paths = Set(waiting.map(\.path))
        return (waiting, gone.filter { !paths.contains($0.path) })
    }
}
