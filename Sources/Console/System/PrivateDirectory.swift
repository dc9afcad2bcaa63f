import Glibc

/// A private directory, mode 0700.
package struct PrivateDirectory: Sendable {
    package let path: String

    /// Creates a directory that may vanish at the next boot, in `$XDG_RUNTIME_DIR`, else `$TMPDIR`,
    /// else `/tmp`.
    ///
    /// - Throws: `ExitFailure` if it cannot be created.
    package init() throws {
        let variable = ["XDG_RUNTIME_DIR", "TMPDIR"].first { Environment[$0] != nil }
        let parent = variable.flatMap { Environment[$0] } ?? "/tmp"
        do throws(Descriptor.OpenError) { path = try Self.made("\(parent)/notesctl-") } catch {
            let place = SafeText.line(parent) + (variable.map { ", which is $\($0)" } ?? "")
            throw ExitFailure(
                "cannot create a temporary directory in \(place): \(error.text); set \(variable ?? "TMPDIR") to another one")
        }
    }

    /// Creates a directory for a text that exists nowhere else: in the user's state directory,
    /// which outlasts the login session, or if that fails, in a temporary place.
    package static func lasting() throws -> PrivateDirectory {
        if let folder = StateFolder.made(), let path = try? made("\(folder)/draft-") {
            return PrivateDirectory(path: path)
        }
        return try PrivateDirectory()
    }

    /// Wraps an existing directory.
    package init(path: String) {
        self.path = path
    }

    private static func made(_ beginning: String) throws(Descriptor.OpenError) -> String {
        var template = Array("\(beginning)XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else { throw Descriptor.OpenError(number: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Creates a directory at an absolute path, and all directories above it that are missing.
    ///
    /// - Throws: `ExitFailure` if one cannot be created.
    package static func make(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else {
                throw ExitFailure("cannot create \(SafeText.line(made)): \(SystemError.text(errno))")
            }
        }
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes a file in the directory, if it exists, and then the directory, if it is empty.
    package func remove(_ name: String) {
        unlink(file(name))
        rmdir(path)
    }

    /// Removes the directory and the files that programs put there, such as an editor's backup
    /// copies. Recovery files that an editor may have left with unsaved text stay.
    ///
    /// - Returns: whether the directory is gone.
    @discardableResult
    package func removeWhole() -> Bool {
        if let entries = opendir(path) {
            var names: [[UInt8]] = []
            while let entry = readdir(entries) {
                names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
            }
            closedir(entries)
            for name in names where !Self.isRescue(name) {
                _ = (Array("\(path)/".utf8) + name).withCPath { unlink($0) }
            }
        }
        return rmdir(path) == 0
    }

    /// Whether a file is a recovery file of Vim (`.a.md.swp`) or Emacs (`#a.md#`).
    static func isRescue(_ name: [UInt8]) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return name.wholeMatch(of: /\..*\.s[a-w][a-z]|#.*#/) != nil
    }

    /// Creates a nameless temporary file for reading and writing.
    package static func scratch() throws -> Descriptor {
        let directory = try PrivateDirectory()
        defer { directory.remove("scratch") }
        do {
            return try Descriptor.open(Array(directory.file("scratch").utf8), O_RDWR | O_CREAT | O_EXCL)
        } catch {
            throw ExitFailure("cannot create a temporary file in \(directory.path): \(error.text)")
        }
    }
}
