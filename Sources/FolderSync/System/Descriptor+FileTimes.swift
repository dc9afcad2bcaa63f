import Console
import Glibc
import NotesModel

/// The times of files.
extension Descriptor {
    /// The times of the open file: that of its last change, and that of its creation as far as the file
    /// system knows it. A file that is older than its creation was copied with its time, and counts as
    /// created when it was last changed.
    ///
    /// Nil if the file system does not state a time, or states one that `Timestamp` cannot hold.
    var fileTimes: FileTimes? {
        var status = stat()
        guard fstat(number, &status) == 0,
            let modified = Self.timestamp(Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
        else { return nil }
        let born = BirthTime.of(number).flatMap { Self.timestamp($0.seconds, nanoseconds: $0.nanoseconds) }
        return FileTimes(modified: modified, created: min(born ?? modified, modified))
    }

    /// Sets the time of the last change; the time of the last access stays. Does nothing on a file
    /// system that has no such time: a file is complete without it.
    func setModified(_ modified: Timestamp) {
        let (seconds, rest) = modified.milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let isNegative = rest < 0
        var times = [timespec(), timespec()]
        times[0].tv_nsec = Self.omitted
        times[1].tv_sec = Int(isNegative ? seconds - 1 : seconds)
        times[1].tv_nsec = Int(isNegative ? rest + 1_000 : rest) * 1_000_000
        _ = futimens(number, times)
    }

    /// `UTIME_OMIT`, which leaves a time as it is.
    private static let omitted = (1 << 30) - 2

    private static func timestamp(_ seconds: Int64, nanoseconds: Int64) -> Timestamp? {
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, sumOverflows) = milliseconds.addingReportingOverflow(nanoseconds / 1_000_000)
        return overflows || sumOverflows ? nil : Timestamp(milliseconds: sum)
    }
}

/// The time of creation from `statx`. The C library has the function, but the Swift module does not
/// export it. So the result is read from the bytes of `struct statx`, which are part of the interface
/// of the kernel.
private enum BirthTime {
    private typealias Function = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32

    private static let function = dlsym(nil, "statx").map { unsafeBitCast($0, to: Function.self) }
    /// Size of `struct statx`.
    private static let bytes = 256
    /// Offset of `stx_btime`: seconds as `Int64`, then nanoseconds as `UInt32`.
    private static let offset = 80
    /// `STATX_BTIME`, both in the request and in `stx_mask`, the first field of the result.
    private static let mask: UInt32 = 0x800
    /// `AT_EMPTY_PATH`, which names the open file itself.
    private static let emptyPath: Int32 = 0x1000

    /// Returns the time of creation of an open file; nil if the file system does not know it.
    static func of(_ descriptor: Int32) -> (seconds: Int64, nanoseconds: Int64)? {
        guard let function else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 8) { result in
            result.initializeMemory(as: UInt8.self, repeating: 0)
            guard let start = result.baseAddress, function(descriptor, "", emptyPath, mask, start) == 0,
                result.loadUnaligned(as: UInt32.self) & mask != 0
            else { return nil }
            let seconds = result.loadUnaligned(fromByteOffset: offset, as: Int64.self)
            return (seconds, Int64(result.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)))
        }
    }
}
