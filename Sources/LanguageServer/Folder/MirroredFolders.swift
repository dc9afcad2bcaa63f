import FolderSync
import NoteTasks
import NoteText
import NotesModel

/// A document's place in a mirrored folder.
struct DocumentPlace: Sendable {
    let folder: MirroredFolder
    /// The path below the folder.
    let path: [UInt8]
    /// The note that the file showed last; nil if the mirror has not seen the file.
    let note: NoteID?
    /// The name of the note in a file that the mirror has not seen; nil if the file is no note.
    let name: ByteString?
}

/// A mirrored folder, as the editor and the record of the mirror name it.
struct MirroredFolder: Hashable, Sendable {
    /// The path as the editor writes it, which may contain symbolic links.
    let root: [UInt8]
    /// The path without symbolic links.
    let realPath: [UInt8]
}

/// The mirrored folders, as the mirror has recorded them.
actor MirroredFolders {
    private var records: MirrorRecords?
    private var folders: [[UInt8]: MirrorRecords.Folder] = [:]

    private func opened() throws -> MirrorRecords? {
        if let records { return records }
        records = try MirrorRecords.open(isReadOnly: true)
        return records
    }

    /// The place of a file; nil if it is in no mirrored folder.
    ///
    /// - Throws: `ExitFailure` if the record cannot be read.
    func place(of path: String) throws -> DocumentPlace? {
        guard let records = try opened() else { return nil }
        let real = MirrorRecords.path(of: path)
        // Most documents are in a folder that is known already.
        let known = folders.values.filter { real.starts(with: $0.path + [UInt8(ascii: "/")]) }
            .max { $0.path.count < $1.path.count }
        guard let folder = try known ?? records.folder(of: real) else { return nil }
        folders[folder.path] = folder
        let below = Array(real.dropFirst(folder.path.count + 1))
        let written = Array(path.utf8)
        let root =
            written.suffix(below.count + 1).elementsEqual([UInt8(ascii: "/")] + below)
            ? Array(written.dropLast(below.count + 1)) : folder.path
        return DocumentPlace(
            folder: MirroredFolder(root: root, realPath: folder.path), path: below,
            note: try records.note(at: below, in: folder), name: folder.noteName(ofPath: below))
    }

    /// Whether a mirror is running on a folder.
    func isRunning(_ folder: MirroredFolder) -> Bool { MirrorRecords.isRunning(folder.realPath) }

    /// The path of a note's file; nil if the folder does not have the note.
    func file(of note: Head, in folder: MirroredFolder) -> [UInt8]? {
        guard let records, let known = folders[folder.realPath], var path = try? records.path(of: note, in: known) else {
            return nil
        }
        let root = folder.root + [UInt8(ascii: "/")]
        guard note.file != nil else { return root + path }
        // A file of the store has no further ending, and the folder need not have it.
        let ending = Array(".md".utf8)
        if note.name?.bytes.utf8.suffix(ending.count) != ending[...], path.suffix(ending.count) == ending[...] {
            path.removeLast(ending.count)
        }
        return SystemFacts.file(String(decoding: root + path, as: UTF8.self)) == nil ? nil : root + path
    }

    /// Whether the mirror has written the file of a note.
    func hasFile(of note: Head, in folder: MirroredFolder) -> Bool {
        guard let records, let known = folders[folder.realPath], let path = try? records.path(of: note, in: known) else {
            return false
        }
        return (try? records.note(at: path, in: known)) == note.id
    }

    /// The name under which a new note gets a file in a folder.
    func name(_ name: ByteString, in folder: MirroredFolder) -> ByteString {
        folders[folder.realPath]?.prefixed(name) ?? name
    }
}
