import Foundation

/// A directory for a store. It is removed with its contents when the object is deallocated.
package final class TemporaryDirectory: Sendable {
    /// The absolute path.
    package let path: String

    /// Creates the directory.
    package init() throws {
        path = "/tmp/notesd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The files in a directory that contain a text, by their paths in it, sorted.
    package static func files(in directory: String, having text: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).sorted().filter { path in
            FileManager.default.contents(atPath: directory + "/" + path)?.range(of: Data(text.utf8)) != nil
        }
    }

    /// The files in this directory that contain a text.
    package func files(having text: String) throws -> [String] { try Self.files(in: path, having: text) }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
