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
}
