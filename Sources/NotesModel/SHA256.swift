internal import CSHA256

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The 32 bytes of the hash.
    ///
    /// - Complexity: O(bytes), about 0.5 ns a byte where the processor has instructions for it, and 3 ns where it has none.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        digest { csha256(bytes, bytes.count, $0) }
    }

    /// The same hash, made without the processor's instructions for it.
    package static func portableHash(of bytes: [UInt8]) -> [UInt8] {
        digest { csha256_portable(bytes, bytes.count, $0) }
    }

    private static func digest(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            guard let start = buffer.baseAddress else { preconditionFailure("a buffer of 32 bytes has an address") }
            body(start)
            count = 32
        }
    }
}
