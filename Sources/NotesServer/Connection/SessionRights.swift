import NoteText
import NotesMethods
import NotesModel
import NotesWire

/// What a connection may do: the access of its user, which a reload may change, within the limits that
/// the connection set for itself.
struct SessionRights: Sendable {
    /// Access level of the user; nil for none.
    var userAccess: Access?
    /// Whether the user is root or the one that the daemon runs as.
    let isPrivileged: Bool
    private(set) var limits = SessionLimits()

    init(userAccess: Access?, isPrivileged: Bool) {
        self.userAccess = userAccess
        self.isPrivileged = isPrivileged
    }

    /// Access level of the connection; nil if its user has none.
    var access: Access? { userAccess.map { limits.access(of: $0) } }

    /// Narrows the rights for the rest of the connection's life, and returns what is left.
    mutating func narrow(to other: SessionLimits) -> LimitResult {
        limits.narrow(to: other)
        return LimitResult(access: access ?? .read, methods: limits.methods, user: limits.user, note: limits.note)
    }

    /// The error for limits that would replace a user or a note, or that set one after hello; nil if the
    /// connection may narrow its rights to them.
    ///
    /// A note is set before hello because a registered connection may have watches, presence and
    /// unanswered requests of other notes.
    func refusal(of other: SessionLimits, isRegistered: Bool) -> WireError? {
        if let user = other.user, user != limits.user {
            if limits.user != nil { return .limitedOtherwise("user") }
            if isRegistered { return .limitedTooLate("user") }
        }
        if let note = other.note, note != limits.note {
            if limits.note != nil { return .limitedOtherwise("note") }
            if isRegistered { return .limitedTooLate("note") }
        }
        return nil
    }

    func permits(_ method: Method) -> Bool { access.map { $0 >= method.access } == true && limits.permits(method) }

    /// The error for a call that the rights do not permit; nil if they permit it.
    func refusal(of call: Call) -> WireError? {
        let isInLimits = limits.permits(call) && limits.access.map { $0 >= call.method.access } ?? true
        if !isInLimits { return limits.note.map(WireError.outsideNote) ?? .outsideLimits(call.method) }
        if !permits(call.method) { return .permissionDenied(toCall: call.method) }
        // A file that the daemon writes anywhere with a client's text in it may open its user's account.
        if case .backup(let path?) = call, !isPrivileged || !limits.isNone, path.utf8.contains(UInt8(ascii: "/")) {
            return .backupDirectoryDenied
        }
        return nil
    }
}
