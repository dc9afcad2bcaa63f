/// A revision on a connection between stores, in the form of `RevisionCodec.wireForm(of:)`.
package struct WireRevision: Hashable, Sendable {
    /// The canonical bytes without those of the replacements.
    package let head: [UInt8]
    /// The bytes of the replacements, in order.
    package let text: [UInt8]

    package init(head: [UInt8], text: [UInt8]) {
        self.head = head
        self.text = text
    }

    /// The size of the canonical bytes.
    package var byteCount: Int { head.count + text.count }
}
