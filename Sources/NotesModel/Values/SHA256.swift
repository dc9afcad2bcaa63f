internal import CSHA256

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// Computes the hash, 32 bytes.
    ///
    /// - Complexity: O(bytes); about 0.5 ns for each byte with the processor's SHA instructions, 3
    ///   ns without.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            guard let start = buffer.baseAddress else { preconditionFailure("a buffer of 32 bytes has an address") }
            csha256(bytes, bytes.count, start)
            count = 32
        }
    }

    /// Computes the first 8 bytes of the hash, big-endian.
    static func firstWord(of bytes: [UInt8]) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("a buffer of 32 bytes has an address") }
            csha256(bytes, bytes.count, start.assumingMemoryBound(to: UInt8.self))
            return UInt64(bigEndian: buffer.load(as: UInt64.self))
        }
    }

    /// The hash of bytes that are added in pieces.
    package struct Stream: Sendable {
        private var stream = csha256_stream()

        package init() {
            csha256_begin(&stream)
        }

        /// Adds bytes.
        package mutating func add(_ bytes: some Collection<UInt8>) {
            let isAdded: Void? = bytes.withContiguousStorageIfAvailable { csha256_add(&stream, $0.baseAddress, $0.count) }
            if isAdded == nil {
                let copy = Array(bytes)
                csha256_add(&stream, copy, copy.count)
            }
        }

        /// The hash of the bytes so far, 32 bytes.
        package var hash: [UInt8] {
            [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
                guard let start = buffer.baseAddress else { preconditionFailure("a buffer of 32 bytes has an address") }
                withUnsafePointer(to: stream) { csha256_end($0, start) }
                count = 32
            }
        }
    }
}
