import NoteText
package import NotesModel

/// Which files of a folder besides the texts are notes.
package struct FileChoice: Hashable, Sendable {
    package enum Kinds: String, CaseIterable, Sendable {
        /// No files.
        case none
        /// Pictures, sound, film, documents and archives, by the ending of the name.
        case known
        /// All files.
        case all
    }

    package var kinds: Kinds
    /// Larger files are left out.
    package var bytesMax = Self.bytesMaxByDefault

    /// 50 MB.
    package static let bytesMaxByDefault = 50_000_000

    package static let none = FileChoice(kinds: .none)

    package init(kinds: Kinds, bytesMax: Int = Self.bytesMaxByDefault) {
        (self.kinds, self.bytesMax) = (kinds, bytesMax)
    }

    /// Why a file is left out.
    enum Omission {
        /// Its ending is none of those chosen.
        case kind
        /// It is too large.
        case large
        /// A program is still making it, or has made it as a copy of a conflict.
        case passing
    }

    /// - Parameters:
    ///   - path: a path that is none of a text, or only its last part.
    ///   - bytes: the size of the file.
    /// - Returns: nil if the file is a note.
    func omission(of path: [UInt8], bytes: Int) -> Omission? {
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
        switch kinds {
        case .none: return .kind
        case .known: if !Attachments.isMedia(file: name) { return .kind }
        case .all: break
        }
        if Self.isPassing(name) { return .passing }
        return bytes > bytesMax ? .large : nil
    }

    /// Whether the folder shows a note.
    package func shows(_ note: Head) -> Bool {
        guard let file = note.file else { return true }
        guard let name = note.name?.bytes.utf8, !NoteFileName.isText(name), !NoteFiles.isHidden(path: name) else { return false }
        return omission(of: name, bytes: file.bytes) == nil
    }

    /// The kind of all notes that the folder may show; nil for both kinds.
    package var kind: NoteKind? { kinds == .none ? .text : nil }

    /// Names that programs give to files that are not complete, and to copies of conflicts.
    private static func isPassing(_ name: [UInt8]) -> Bool {
        let ending = Attachments.ending(ofFile: name)
        return ["part", "partial", "crdownload", "download", "tmp", "temp", "swp"].contains { ending.elementsEqual($0.utf8) }
            || name.starts(with: "~$".utf8) || name.last == UInt8(ascii: "~") || ConflictCopy.origin(of: name) != nil
    }
}
