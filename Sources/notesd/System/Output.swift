import Glibc

/// Lines on standard output and standard error.
enum Output {
    /// Writes a line and its line feed to a descriptor. Ignores errors.
    static func say(_ line: String, to descriptor: Int32) {
        write(line + "\n", to: descriptor)
    }

    /// Writes text to a descriptor, repeating the call for partial writes. Ignores errors.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Files.uninterrupted { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
