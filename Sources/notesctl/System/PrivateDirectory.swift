#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A directory of one's own for temporary files, mode 0700, in `$XDG_RUNTIME_DIR`, else `$TMPDIR`, else `/tmp`.
struct PrivateDirectory {
    let path: String

    init() throws {
        let parent = Environment["XDG_RUNTIME_DIR"] ?? Environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/notesctl-XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else {
            throw Failure("cannot make a temporary directory in \(SafeText.line(parent)): \(SystemError.text(errno)); set TMPDIR")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes a file in it, if it is there, and itself, if that leaves it empty.
    func remove(_ name: String) {
        unlink(file(name))
        rmdir(path)
    }

    /// A new file that has no name any more, for reading and writing.
    static func scratch() throws -> Descriptor {
        let directory = try PrivateDirectory()
        defer { directory.remove("scratch") }
        do {
            return try Descriptor.open(Array(directory.file("scratch").utf8), O_RDWR | O_CREAT | O_EXCL)
        } catch {
            throw Failure("cannot make a temporary file in \(directory.path): \(error.text)")
        }
    }
}
