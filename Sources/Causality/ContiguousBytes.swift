extension Collection<UInt8> {
    /// Calls `body` with the bytes as one contiguous buffer, and returns its result.
    ///
    /// The bytes are copied only if the collection has no contiguous storage. Parsers use this
    /// because a loop over a generic collection of another module calls into that module at each
    /// step.
    package func withContiguousBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}
