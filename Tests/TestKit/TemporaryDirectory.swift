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

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
