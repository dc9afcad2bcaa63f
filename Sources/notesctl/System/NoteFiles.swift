import Glibc
import NotesModel

/// Maps file paths to note names and back: the path below a directory without `.md`; `.txt` stays.
enum NoteFileName {
    static let markdown = Array(".md".utf8)
    static let plain = Array(".txt".utf8)

    /// The name of the note in a file; nil if the file is not a note.
    static func noteName(ofPath path: [UInt8]) -> [UInt8]? {
        if path.ends(with: markdown) { return path.dropLast(markdown.count) }
        return path.ends(with: plain) ? path : nil
    }

    /// The path of a note's file; a note without a name gets its id.
    static func path(of note: Head) -> [UInt8] {
        guard let name = note.name?.bytes.utf8 else { return Array(note.id.description.utf8) + markdown }
        return name.ends(with: plain) ? name : name + markdown
    }
}

extension [UInt8] {
    func ends(with suffix: [UInt8]) -> Bool {
        count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
    }

    /// The path for display; bytes that are not UTF-8 appear as `�`.
    var pathForPeople: String {
        SafeText.line(String(decoding: self, as: UTF8.self))
    }
}

/// Finds the files below a directory that may be notes. Does not follow symbolic links.
struct NoteFiles {
    struct Found {
        /// Paths relative to the directory, sorted.
        var paths: [[UInt8]] = []
        /// Directories that could not be read, with the reason.
        var unreadable: [(path: [UInt8], reason: String)] = []
    }

    static func below(_ directory: borrowing Descriptor) -> Found {
        var found = Found()
        // A list of directories to read instead of recursion, so that no tree is too deep.
        var pending: [[UInt8]] = [[]]
        while let path = pending.popLast() {
            do throws(Descriptor.OpenError) {
                let folder = try Descriptor.open(
                    path.isEmpty ? Array(".".utf8) : path, in: directory.number, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
                try read(folder, at: path, into: &found, &pending)
            } catch {
                found.unreadable.append((path, error.text))
            }
        }
        found.paths.sort { $0.lexicographicallyPrecedes($1) }
        return found
    }

    private static func read(
        _ folder: borrowing Descriptor, at path: [UInt8], into found: inout Found, _ pending: inout [[UInt8]]
    ) throws(Descriptor.OpenError) {
        guard let stream = fdopendir(dup(folder.number)) else { throw Descriptor.OpenError(number: errno) }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            var status = stat()
            guard name.withCPath({ fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { continue }
            let below = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
            switch status.st_mode & S_IFMT {
            case S_IFDIR: pending.append(below)
            case S_IFREG where NoteFileName.noteName(ofPath: name) != nil: found.paths.append(below)
            default: break
            }
        }
    }
}

/// Writes files below a directory and nowhere else: no component of a path may be a symbolic link,
/// and each file appears atomically.
struct FileTree {
    private let root: Int32

    /// - Precondition: the descriptor stays open as long as the tree is used.
    init(_ directory: borrowing Descriptor) {
        root = directory.number
    }

    /// Writes a file and creates missing directories.
    ///
    /// - Parameters:
    ///   - path: relative to the directory.
    ///   - serial: makes the temporary file's name unique within this process.
    func write(_ bytes: [UInt8], to path: [UInt8], serial: Int) throws(Descriptor.OpenError) {
        let parts = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard let file = parts.last else { throw Descriptor.OpenError(number: EINVAL) }
        var folder = try Descriptor.open(Array(".".utf8), in: root, O_RDONLY | O_DIRECTORY)
        for part in parts.dropLast() {
            let isMade = part.withCPath { mkdirat(folder.number, $0, 0o777) } == 0
            if !isMade && errno != EEXIST { throw Descriptor.OpenError(number: errno) }
            folder = try Descriptor.open(part, in: folder.number, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        try Self.replace(file, in: folder.number, with: bytes, serial: serial)
    }

    private static func replace(
        _ file: [UInt8], in folder: Int32, with bytes: [UInt8], serial: Int
    ) throws(Descriptor.OpenError) {
        let temporary = Array(".notesctl-\(getpid())-\(serial).tmp".utf8)
        do {
            let descriptor = try Descriptor.open(temporary, in: folder, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
            try descriptor.writeAll(bytes)
        } catch {
            _ = temporary.withCPath { unlinkat(folder, $0, 0) }
            throw error
        }
        let isRenamed = temporary.withCPath { from in file.withCPath { to in renameat(folder, from, folder, to) } } == 0
        guard !isRenamed else { return }
        let number = errno
        _ = temporary.withCPath { unlinkat(folder, $0, 0) }
        throw Descriptor.OpenError(number: number)
    }
}
