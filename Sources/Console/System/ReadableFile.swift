import Glibc

/// A regular file that is open for reading. Reading from a pipe or a device could block or never end, so
/// those are not opened.
package struct ReadableFile: ~Copyable, Sendable {
    package let descriptor: Descriptor

    /// Opens a file of a folder.
    ///
    /// - Parameter name: one component of a path.
    /// - Throws: `ELOOP` for a symbolic link, and `ENXIO` for anything else that is no regular file.
    package init(_ name: [UInt8], in folder: Int32) throws(Descriptor.OpenError) {
        let file = try Descriptor.open(name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard Self.status(file.number).st_mode & S_IFMT == S_IFREG else { throw Descriptor.OpenError(number: ENXIO) }
        descriptor = file
    }

    /// The descriptor, for the caller to close.
    package consuming func taken() -> Descriptor { descriptor }

    /// The present size of the file, in bytes.
    package var bytes: Int { Int(Self.status(descriptor.number).st_size) }

    /// Whether a program has the file open for writing, and it has changed in the last ten seconds. A file that
    /// stays open, such as a log, is whole after that time.
    package var isBeingWritten: Bool {
        let isFresh = Self.status(descriptor.number).st_mtim.tv_sec > time(nil) - 10
        return isFresh && ReadLease.take(descriptor.number) == false
    }

    /// Reads the file.
    ///
    /// - Returns: nil if the file has more than `bytesMax` bytes. Nothing is read then, unless the file
    ///   grows while it is read.
    package func text(bytesMax: Int) throws(Descriptor.OpenError) -> [UInt8]? {
        guard bytes <= bytesMax else { return nil }
        let text = try descriptor.readAll(bytesMax: bytesMax == .max ? .max : bytesMax + 1)
        return text.count <= bytesMax ? text : nil
    }

    /// The attributes of an open file; zeros if the system does not state them.
    private static func status(_ number: Int32) -> stat {
        var status = stat()
        return fstat(number, &status) == 0 ? status : stat()
    }
}
