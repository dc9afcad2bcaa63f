import Console
import NoteTasks
import NoteText
package import NotesModel

/// The assignment of files to notes. Files that cannot become a note are skipped, with a reason.
package struct ImportPlan {
    /// A file and the name of its note.
    package struct File: Sendable {
        package let path: [UInt8]
        let name: NoteName

        package var isText: Bool { NoteFileName.isText(path) }
    }

    /// Files to import, sorted by name.
    package private(set) var taken: [File] = []
    /// Skipped paths, relative to the directory, with the reason.
    package private(set) var skipped: [(path: [UInt8], reason: String)] = []

    /// - Parameters:
    ///   - paths: paths below the directory, of the texts and files that are notes.
    ///   - prefix: what the names begin with.
    ///   - isKnown: whether a path is that of a note already. Of several files with one name, this one is taken.
    package init(paths: [[UInt8]], prefix: [UInt8] = [], isKnown: ([UInt8]) -> Bool = { _ in false }) {
        var byName: [NoteName: [[UInt8]]] = [:]
        for path in paths {
            guard let text = ByteString(checkedUTF8: prefix + NoteFileName.name(ofPath: path)) else {
                skipped.append((path, "its name is not UTF-8; rename the file"))
                continue
            }
            do throws(InvalidName) {
                byName[try NoteName(text), default: []].append(path)
            } catch {
                skipped.append((path, "\(error); rename the file"))
            }
        }
        for (name, paths) in byName.sorted(by: { $0.key < $1.key }) {
            guard paths.count > 1 else {
                taken.append(File(path: paths[0], name: name))
                continue
            }
            let known = paths.filter(isKnown)
            if known.count == 1 { taken.append(File(path: known[0], name: name)) }
            let reason =
                known.count == 1
                ? "\(known[0].pathForPeople) is the note of this name; rename one of the two"
                : "\(paths.count) files map to the name \(SafeText.line(name.description)); rename all but one"
            for path in paths where known.count != 1 || path != known[0] { skipped.append((path, reason)) }
        }
    }
}

/// The daemon's notes at the start of an import, and what an import does with a file because of them.
package struct ImportedNotes: Sendable {
    private var byID: [NoteID: Head] = [:]
    private var byName: [NoteName: NoteID] = [:]
    /// Ids in ascending order.
    private let ids: [NoteID]
    /// Whether a file `<id>.md` is the note with that id if the note has no name.
    private let isWithNameless: Bool
    /// As in `ExportPlan`.
    private let aliases: [[UInt8]: NoteID]

    /// - Parameter notes: the notes, without deleted ones.
    package init(_ notes: [Head], isWithNameless: Bool = true, aliases: [[UInt8]: NoteID] = [:]) {
        self.aliases = aliases
        self.isWithNameless = isWithNameless
        ids = notes.map(\.id).sorted()
        for note in notes {
            byID[note.id] = note
            if let name = note.name, byName[name] == nil { byName[name] = note.id }
        }
    }

    /// What an import does with a file. The first four follow from the file's record.
    enum Step: Equatable {
        /// Nothing: the file is as it was recorded, and its note is there.
        case leave(NoteID)
        /// The same, but the note is not among the living ones.
        case findOut(NoteID)
        /// Save the file's text, based on the version that the file showed.
        case save(FileRecord)
        /// Compare the file with a note, which may have the same text.
        case compare(Head)
        /// Create a note.
        case create
    }

    /// The step for a file.
    ///
    /// - Parameter record: what the file showed when it was last imported or exported.
    func step(for file: ImportPlan.File, content: FileContent, record: FileRecord?) -> Step {
        guard let record else { return step(withoutRecord: file) }
        guard record.content == content else { return .save(record) }
        return byID[record.note] == nil ? .findOut(record.note) : .leave(record.note)
    }

    /// The step for a file without a record.
    ///
    /// - Parameter note: the note that the file belongs to; nil to find it by the file's name.
    func step(withoutRecord file: ImportPlan.File, note: NoteID? = nil) -> Step {
        if let head = (note ?? aliases[file.path]).flatMap({ byID[$0] }) { return .compare(head) }
        if let head = byName[file.name].flatMap({ byID[$0] }) { return .compare(head) }
        if isWithNameless, let head = NoteFileName.noteID(ofPath: file.path).flatMap({ byID[$0] }), head.name == nil {
            return .compare(head)
        }
        return .create
    }

    /// The note with an id; nil if it is not among the living ones.
    subscript(id: NoteID) -> Head? { byID[id] }

    /// The note with a name; nil if there is none.
    func note(named name: [UInt8]) -> Head? {
        ByteString(checkedUTF8: name).flatMap { try? NoteName($0) }.flatMap { byName[$0] }.flatMap { byID[$0] }
    }

    /// The note whose id begins with a name. That name would take precedence over the beginning of the
    /// id, as `NameCheck` explains.
    ///
    /// - Complexity: O(log n) for n notes.
    func note(whoseIDBeginsWith name: NoteName) -> Head? {
        let text = name.description
        guard NoteReference.isPrefix(text) else { return nil }
        let bytes = Array(text.utf8)
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle].description.utf8.lexicographicallyPrecedes(bytes) { low = middle + 1 } else { high = middle }
        }
        guard low < ids.count, ids[low].description.hasPrefix(text) else { return nil }
        return byID[ids[low]]
    }
}
