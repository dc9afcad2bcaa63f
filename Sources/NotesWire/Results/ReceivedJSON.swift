package import StrictJSON

/// JSON as a client received it, including members that this version does not know.
///
/// `notesctl --json` prints it, so that a script sees what a newer daemon adds. All values are equal:
/// an object that was read equals the object that was written.
package struct ReceivedJSON<Content: Sendable>: Hashable, Sendable {
    /// Slices of the received line.
    package let content: Content

    init(_ content: Content) {
        self.content = content
    }

    package static func == (left: Self, right: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// An object of the protocol that keeps the JSON from which it was read.
package protocol ReceivedObject {
    /// The JSON that was read; nil for an object that was made here.
    var received: ReceivedJSON<ArraySlice<UInt8>?> { get }
    /// Writes the object as one JSON value.
    func write(to writer: inout JSONWriter)
}

extension ReceivedObject {
    /// The object as it was received; encoded if it was made here.
    package var json: [UInt8] {
        if let bytes = received.content { return Array(bytes) }
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
