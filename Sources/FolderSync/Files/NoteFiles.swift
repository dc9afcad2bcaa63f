package import Console
import Glibc
import NotesModel

/// Finds the files below a directory that may be notes. Does not follow symbolic links.
package struct NoteFiles {
    /// Which files to look at.
    package struct Selection {
        /// Whether names that begin with a dot and folders named `node_modules` are looked at.
        var isWithHidden = false
        /// Patterns of `fnmatch` for what to leave out. A pattern without `/` applies to the name of a
        /// file or folder, any other to its path below the directory.
        var excluded: [String] = []
        /// Whether folders below are left out that another process has locked, as a mirror does.
        var isWithoutLocked = false
        /// Folders that are left out, by their paths below the directory.
        var omitted: Set<[UInt8]> = []
        /// The files besides the texts.
        var files = FileChoice.none

        /// Whether a path, or a folder above it, is left out.
        func excludes(_ path: [UInt8]) -> Bool {
            guard !excluded.isEmpty else { return false }
            var start = 0
            for end in path.indices.filter({ path[$0] == UInt8(ascii: "/") }) + [path.count] {
                if excludes(Array(path[start..<end]), at: Array(path[..<end])) { return true }
                start = end + 1
            }
            return false
        }

        func excludes(_ name: [UInt8], at path: [UInt8]) -> Bool {
            excluded.contains { pattern in
                let isPath = pattern.utf8.contains(UInt8(ascii: "/"))
                let pattern = Array(pattern.utf8).trimmed(of: UInt8(ascii: "/"))
                return pattern.withCPath { pattern in
                    (isPath ? path : name).withCPath { fnmatch(pattern, $0, isPath ? FNM_PATHNAME : 0) == 0 }
                }
            }
        }
    }

    package struct Found {
        /// Paths relative to the directory, sorted.
        package var paths: [[UInt8]] = []
        /// The stamps of these files.
        var stamps: [[UInt8]: FileStamp] = [:]
        /// The folders that were read, relative to the directory, which itself is empty.
        var folders: Set<[UInt8]> = []
        /// The folders that were left out since they have mirrors of their own.
        var ofOtherMirrors: Set<[UInt8]> = []
        /// Files that `FileTree` made for a moment, by their path.
        var temporary: [[UInt8]] = []
        /// Directories that could not be read, with the reason.
        package var unreadable: [(path: [UInt8], reason: String)] = []
        /// What else is there.
        var others = OtherFiles()
    }

    /// - Parameter entering: called with the path of each folder before it is read.
    package static func below(
        _ directory: borrowing Descriptor, _ selection: Selection = Selection(), entering: ([UInt8]) -> Void = { _ in }
    ) -> Found {
        var found = Found()
        found.read([[]], FileTree(directory), selection, entering: entering)
        return found
    }

    /// Whether a scan without hidden names leaves out a file.
    package static func isHidden(path: [UInt8]) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/"))
        return parts.enumerated().contains { isHidden(Array($1), isFolder: $0 < parts.count - 1) }
    }

    static func isHidden(_ name: [UInt8], isFolder: Bool) -> Bool {
        isFolder
            ? name.first == UInt8(ascii: ".") || name.elementsEqual("node_modules".utf8) : NoteFileName.isHidden(name)
    }
}

/// The numbers of files and folders that an import does not take, by kind.
struct OtherFiles {
    /// Hidden files, and hidden folders without what is in them.
    var hidden = 0
    /// Files and folders that the user excluded.
    var excluded = 0
    var links = 0
    /// Pipes, sockets and devices.
    var special = 0
    /// Files that are larger than those chosen.
    var large = 0
    /// Files that a program is still making, or has made as copies of conflicts.
    var passing = 0
    /// Files by the ending of their name, in lower case; "" for none.
    private(set) var byEnding: [String: Int] = [:]

    /// Most endings in the summary; the files with others are counted together.
    private static let endingsMax = 8

    /// Counts a file that is no note.
    mutating func count(file name: [UInt8]) {
        let start = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
        byEnding[start.map { String(decoding: name[$0...], as: UTF8.self).lowercased() } ?? "", default: 0] += 1
    }

    /// The counts in one line, such as `not notes: 64 .png, 2 symbolic links; hidden: 3`; nil if there
    /// is nothing.
    var summary: String? {
        let sorted = byEnding.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var kinds = sorted.prefix(Self.endingsMax).map { ending, count in
            ending.isEmpty ? "\(count) without an ending" : "\(count) \(SafeText.line(ending))"
        }
        let rest = sorted.dropFirst(Self.endingsMax).reduce(0) { $0 + $1.value }
        if rest > 0 { kinds.append("\(rest) with other endings") }
        if links > 0 { kinds.append(links == 1 ? "1 symbolic link" : "\(links) symbolic links") }
        if special > 0 { kinds.append(special == 1 ? "1 special file" : "\(special) special files") }
        if large > 0 { kinds.append(large == 1 ? "1 file that is too large" : "\(large) files that are too large") }
        if passing > 0 { kinds.append(passing == 1 ? "1 unfinished file or copy" : "\(passing) unfinished files or copies") }
        var parts = kinds.isEmpty ? [] : ["not notes: " + kinds.joined(separator: ", ")]
        if hidden > 0 { parts.append("hidden: \(hidden)") }
        if excluded > 0 { parts.append("excluded: \(excluded)") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension [UInt8] {
    /// The bytes without one byte at either end.
    fileprivate func trimmed(of byte: UInt8) -> [UInt8] {
        var rest = self[...]
        while rest.first == byte { rest.removeFirst() }
        while rest.last == byte { rest.removeLast() }
        return Array(rest)
    }
}

extension NoteFiles.Selection {
    /// The selection of an import.
    package init(isWithHidden: Bool, excluded: [String], files: FileChoice) {
        self.init(isWithHidden: isWithHidden, excluded: excluded, isWithoutLocked: false, files: files)
    }
}
