import Glibc

/// Writing files to the disk. The C library has `syncfs` and `sync_file_range`, but the Swift module does
/// not export them.
extension Descriptor {
    /// Waits until the bytes of the open file are on the disk. A file system may have no such operation
    /// (`EINVAL`).
    package func sync() throws(OpenError) {
        guard fdatasync(number) == 0 || errno == EINVAL else { throw OpenError(number: errno) }
    }

    /// Lets the kernel start to write the open file to the disk. A system that cannot do that writes it
    /// when `sync` is called.
    package func startWriting() {
        _ = FileRange.function?(number, 0, 0, FileRange.write)
    }
}

/// `sync_file_range`.
private enum FileRange {
    typealias Function = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    static let function = dlsym(nil, "sync_file_range").map { unsafeBitCast($0, to: Function.self) }
    /// `SYNC_FILE_RANGE_WRITE` of `<linux/fs.h>`: start, without waiting.
    static let write: UInt32 = 2
}

/// `syncfs`.
package enum FileSystemSync {
    private typealias Function = @convention(c) (Int32) -> Int32

    private static let function = dlsym(nil, "syncfs").map { unsafeBitCast($0, to: Function.self) }

    /// Writes everything in the file system of an open file to the disk. Returns 0 or an `errno`.
    package static func run(_ descriptor: Int32) -> Int32 {
        guard let function else {
            sync()
            return 0
        }
        return function(descriptor) == 0 ? 0 : errno
    }
}
