/// Who made a revision: the user of the connection, and the label that the connection gave itself.
package struct Author: Hashable, Sendable {
    package let user: ByteString
    package let label: ByteString?

    package init(user: ByteString, label: ByteString?) {
        self.user = user
        self.label = label
    }
}
