package import NoteText
package import NotesModel

/// What one connection may do, within the rights of its user: everything, or less if `session.limit`
/// narrowed it. The limits hold until the connection ends and are never widened.
package struct SessionLimits: Hashable, Sendable {
    /// The highest access; nil for that of the user.
    package var access: Access?
    package var methods: Methods
    /// The person for whom the user opened the connection; nil if the user named none.
    package var user: ByteString?
    /// The only note that the connection may read and write; nil for all notes.
    package var note: NoteID?

    /// The methods that a connection may call.
    package enum Methods: String, CaseIterable, Hashable, Sendable {
        case all
        /// Those that have `Method.Traits.exchange`.
        case exchange
    }

    package init(access: Access? = nil, methods: Methods = .all, user: ByteString? = nil, note: NoteID? = nil) {
        self.access = access
        self.methods = methods
        self.user = user
        self.note = note
    }

    /// Whether the connection has all rights of its user.
    package var isNone: Bool { self == SessionLimits() }

    /// Narrows these limits to what both permit.
    ///
    /// - Precondition: each of `user` and `note` is the same in both, or nil in one of them.
    package mutating func narrow(to other: SessionLimits) {
        if let limit = other.access { access = min(access ?? limit, limit) }
        if other.methods == .exchange { methods = .exchange }
        user = user ?? other.user
        note = note ?? other.note
    }

    /// The access that the connection has, given that of its user.
    package func access(of user: Access) -> Access { min(access ?? user, user) }

    /// Whether the connection may call a method, if its access permits it.
    package func permits(_ method: Method) -> Bool {
        (methods == .all || method.has(.exchange)) && (note == nil || method.has(.ofOneNote))
    }

    /// Whether the connection may make a call, if its access permits it.
    package func permits(_ call: Call) -> Bool {
        permits(call.method) && (note.map(call.keeps(to:)) ?? true)
    }
}

extension Call {
    /// Whether the call neither names, reads nor changes anything but one note, and of that note only the
    /// text, if its method has `Method.Traits.ofOneNote`.
    fileprivate func keeps(to note: NoteID) -> Bool {
        switch self {
        case .hello, .limit, .ping, .discover, .unwatch: true
        // A name could be that of another note.
        case .get(let get): get.key == .id(note)
        case .history(let read): read.id == note
        case .write(.saveNote(let save)): save.id == note && save.name == .leave && save.file == nil
        case .write(.editNote(let edit)): edit.id == note
        case .watch(let watch): watch.filter.ids.map { $0.allSatisfy { $0 == note } } ?? false
        case .setPresence(let set): set.place.map { $0.note == note } ?? true
        default: false
        }
    }
}
