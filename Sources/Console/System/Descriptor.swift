package import Glibc

/// A file descriptor, closed at the end of its lifetime. Paths are bytes, as in the kernel.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    package struct OpenError: Error {
        package let number: Int32
        package var text: String { SystemError.text(number) }

        package init(number: Int32) {
            self.number = number
        }
    }

    package static func open(_ path: [UInt8], _ flags: Int32, mode: mode_t = 0o600) throws(OpenError) -> Descriptor {
        try open(path, in: AT_FDCWD, flags, mode: mode)
    }

    package static func open(
        _ path: [UInt8], in directory: Int32, _ flags: Int32, mode: mode_t = 0o600
    ) throws(OpenError) -> Descriptor {
        while true {
            let number = path.withCPath { openat(directory, $0, flags | O_CLOEXEC, mode) }
            if number >= 0 { return Descriptor(number) }
            if errno != EINTR { throw OpenError(number: errno) }
        }
    }

    /// Whether another process has an exclusive lock on the file or folder; see flock(2).
    package var isLocked: Bool {
        guard flock(number, LOCK_SH | LOCK_NB) != 0 else {
            flock(number, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// Takes an exclusive lock on the file or folder. Tries for a fifth of a second, since `isLocked` holds
    /// a shared lock for a moment.
    ///
    /// - Returns: false if another process has a lock.
    package func isLockedSoon() async throws -> Bool {
        for _ in 0..<20 {
            if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    /// Reads to the end, but at most `bytesMax` bytes.
    package func readAll(bytesMax: Int = .max) throws(OpenError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256 * 1_024)
        while true {
            let count = Glibc.read(number, &chunk, min(chunk.count, bytesMax - bytes.count))
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw OpenError(number: errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Reads bytes from an offset on; fewer than `count` only at the end of the file.
    package func read(at offset: Int, count: Int) throws(OpenError) -> [UInt8] {
        var fault: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let number = pread(number, start + filled, count - filled, off_t(offset + filled))
                if number < 0 && errno == EINTR { continue }
                if number < 0 { fault = errno }
                guard number > 0 else { return }
                filled += number
            }
        }
        if fault != 0 { throw OpenError(number: fault) }
        return bytes
    }

    package func writeAll(_ bytes: [UInt8]) throws(OpenError) {
        let number = Output.writeAll(bytes, to: number)
        guard number == 0 else { throw OpenError(number: number) }
    }

    package func rewind() {
        lseek(number, 0, SEEK_SET)
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as a C string. The bytes must contain no zero: paths come from
    /// the system, from arguments or from checked names, none of which can.
    package func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            // The array is never empty.
            buffer.baseAddress.map(body) ?? body([0])
        }
    }
}
