import Glibc

/// The room that is left on a file system for this process.
package struct FileSystemRoom {
    /// The free space in bytes.
    package let bytes: Int
    /// Whether the file system has no inode for another file. False if it does not limit their number.
    package let lacksInodes: Bool

    /// - Parameter path: a file or directory of the file system.
    /// - Returns: Nil if the file system cannot be examined.
    package init?(at path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        bytes = Int(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
        lacksInodes = status.f_files > 0 && status.f_favail == 0
    }

    /// A clause that names the lack of inodes and the remedy; nil if a file can be created next to the path.
    package static func lackOfInodes(nextTo path: String) -> String? {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = end.map { $0 == path.utf8.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard FileSystemRoom(at: directory)?.lacksInodes == true else { return nil }
        return "the file system of \(directory) has no free inode for another file; delete files that you do not need there"
    }
}
