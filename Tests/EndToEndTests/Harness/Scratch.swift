import Foundation

/// A temporary directory for one test. Its path is short enough for sockets in it.
final class Scratch: Sendable {
    let path: String

    /// Longest path of a Unix socket, in bytes.
    static let socketPathBytesMax = 107
    private static let namesBytesMax = 40

    init() throws {
        let wanted = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let parent = wanted.utf8.count + Self.namesBytesMax <= Self.socketPathBytesMax ? wanted : "/tmp"
        var template = Array("\(parent)/notesd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFault("mkdtemp in \(parent)") }
        path = template.withUnsafeBufferPointer { String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a directory, unless it exists.
    func directory(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        return file(name)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Files.write(Array(text.utf8), to: file(name))
        return file(name)
    }
}

enum Files {
    static func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Permission bits.
    static func mode(_ path: String) throws -> mode_t {
        var file = stat()
        guard lstat(path, &file) == 0 else { throw SystemFault("lstat \(path)") }
        return file.st_mode & 0o777
    }
}
