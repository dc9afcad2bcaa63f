extension Collection<UInt8> {
    /// Lets `body` see the bytes as one stretch of memory, copied only where they are none: a loop over a generic collection of
    /// another module asks that module at each step.
    package func withContiguousBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}
