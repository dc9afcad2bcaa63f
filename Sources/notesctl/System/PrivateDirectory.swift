#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A directory of one's own, mode 0700.
struct PrivateDirectory {
    let path: String

    /// For what may be gone after the next start of the system, in `$XDG_RUNTIME_DIR`, else `$TMPDIR`, else `/tmp`.
    init() throws {
        let variable = ["XDG_RUNTIME_DIR", "TMPDIR"].first { Environment[$0] != nil }
        let parent = variable.flatMap { Environment[$0] } ?? "/tmp"
        do throws(Descriptor.OpenError) { path = try Self.made("\(parent)/notesctl-") } catch {
            let place = SafeText.line(parent) + (variable.map { ", which is $\($0)" } ?? "")
            throw ExitFailure(
                "cannot create a temporary directory in \(place): \(error.text); set \(variable ?? "TMPDIR") to another one")
        }
    }

    /// For a text that nobody else has yet: where the user's state is kept, which is there after the next login too; where that cannot
    /// be, as any other.
    static func lasting() throws -> PrivateDirectory {
        if let folder = OperationJournal.madeFolder(), let path = try? made("\(folder)/draft-") {
            return PrivateDirectory(path: path)
        }
        return try PrivateDirectory()
    }

    /// One that is there.
    init(path: String) {
        self.path = path
    }

    private static func made(_ beginning: String) throws(Descriptor.OpenError) -> String {
        var template = Array("\(beginning)XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else { throw Descriptor.OpenError(number: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes a file in it, if it is there, and itself, if that leaves it empty.
    func remove(_ name: String) {
        unlink(file(name))
        rmdir(path)
    }

    /// Removes itself with all that programs put there, such as copies that an editor makes before it saves. What an editor that died may
    /// have left of a text that was never saved stays.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    func removeWhole() -> Bool {
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

    /// Whether a file is what Vim (`.a.md.swp`) or Emacs (`#a.md#`) keeps of what is not saved yet.
    static func isRescue(_ name: [UInt8]) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return name.wholeMatch(of: /\..*\.s[a-w][a-z]|#.*#/) != nil
    }

    /// A new file that has no name any more, for reading and writing.
    static func scratch() throws -> Descriptor {
        let directory = try PrivateDirectory()
        defer { directory.remove("scratch") }
        do {
            return try Descriptor.open(Array(directory.file("scratch").utf8), O_RDWR | O_CREAT | O_EXCL)
        } catch {
            throw ExitFailure("cannot create a temporary file in \(directory.path): \(error.text)")
        }
    }
}
