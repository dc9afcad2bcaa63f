/// The last LF of the kept sequence at a version at which a view may start, with the value of the
/// register of the last line (`LastLineRegister`).
///
/// The register matters even where it hides nothing: while a text is empty, for example, an undo of
/// the write that follows may make the register decide again.
package enum LastLineFeed: UInt8, Sendable {
    /// The register shows the last LF.
    case shown
    /// The register hides the last LF, so the text lacks it.
    case hidden
    /// The register hides the last LF, but the kept sequence does not end with LF.
    case absent

    /// - Parameters:
    ///   - isHidden: whether the text lacks the last LF of the kept sequence.
    ///   - registerHides: the value of the register.
    init(isHidden: Bool, registerHides: Bool) {
        self = isHidden ? .hidden : registerHides ? .absent : .shown
    }

    /// The value of the register.
    var registerHides: Bool { self != .shown }
}
