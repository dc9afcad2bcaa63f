package import NotesModel

/// A line of the daemon that answers nothing, as a client reads it.
package enum ServerNotification: Hashable, Sendable {
    case changed(NoteChanged)
    case synced(WatchMark)
    case bookmark(WatchMark)
    case reset(WatchReset)
    case closing(SessionClosing)
    case progress(RequestProgress)
    case presence(PresenceChanged)
    /// One that this client does not know, and leaves aside.
    case unknown(method: ByteString)

    init(method: ByteString, params: JSONValue) throws(ParamFault) {
        switch method {
        case "note.changed": self = .changed(try NoteChanged(reading: params))
        case "watch.synced": self = .synced(try WatchMark(reading: params))
        case "watch.bookmark": self = .bookmark(try WatchMark(reading: params))
        case "watch.reset": self = .reset(try WatchReset(reading: params))
        case "session.closing": self = .closing(try SessionClosing(reading: params))
        case "progress": self = .progress(try RequestProgress(reading: params))
        case "presence.changed": self = .presence(try PresenceChanged(reading: params))
        default: self = .unknown(method: method)
        }
    }
}

/// `watch.synced` and `watch.bookmark`: every change up to `cursor` has been delivered.
package struct WatchMark: Hashable, Sendable {
    package var watch: UInt64
    package var seq: UInt64
    package var cursor: Cursor

    package init(watch: UInt64, seq: UInt64, cursor: Cursor) {
        self.watch = watch
        self.seq = seq
        self.cursor = cursor
    }

    package func syncedLine() -> [UInt8] {
        .notification("watch.synced", writeMembers)
    }

    package func bookmarkLine() -> [UInt8] {
        .notification("watch.bookmark", writeMembers)
    }

    private func writeMembers(to params: inout JSONWriter) {
        params.member("watch", watch)
        params.member("seq", seq)
        params.member("cursor", cursor)
    }

    init(reading params: JSONValue) throws(ParamFault) {
        watch = try params.required("watch", Param.number)
        seq = try params.required("seq", Param.number)
        cursor = try params.required("cursor", Param.cursor)
    }
}

/// `watch.reset`: lines were dropped; what changed since the last delivered cursor follows, then `watch.synced`.
package struct WatchReset: Hashable, Sendable {
    package var watch: UInt64
    package var seq: UInt64
    /// A word, such as `outbox_full`.
    package var reason: ByteString

    package init(watch: UInt64, seq: UInt64, reason: ByteString) {
        self.watch = watch
        self.seq = seq
        self.reason = reason
    }

    package func line() -> [UInt8] {
        .notification("watch.reset") { params in
            params.member("watch", watch)
            params.member("seq", seq)
            params.member("reason", reason)
        }
    }

    init(reading params: JSONValue) throws(ParamFault) {
        watch = try params.required("watch", Param.number)
        seq = try params.required("seq", Param.number)
        reason = try params.required("reason", Param.string)
    }
}

/// `session.closing`: the last line before the daemon closes the connection.
package struct SessionClosing: Hashable, Sendable {
    /// A word, such as `shutting_down`.
    package var reason: ByteString
    /// When it is worth connecting again; nil where it is not.
    package var retryAfterMilliseconds: Int?

    package init(reason: ByteString, retryAfterMilliseconds: Int?) {
        self.reason = reason
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    package func line() -> [UInt8] {
        .notification("session.closing") { params in
            params.member("reason", reason)
            params.name("retryAfterMs")
            if let retryAfterMilliseconds { params.integer(retryAfterMilliseconds) } else { params.null() }
        }
    }

    init(reading params: JSONValue) throws(ParamFault) {
        reason = try params.required("reason", Param.string)
        retryAfterMilliseconds = try params.required("retryAfterMs", Param.nullable(Param.count))
    }
}

extension JSONWriter {
    /// A whole line, with its LF.
    mutating func notification(_ method: StaticString, _ writeParams: (inout JSONWriter) -> Void) {
        object { line in
            line.member("jsonrpc", "2.0")
            line.name("method")
            line.string(method)
            line.name("params")
            line.object(writeParams)
        }
        endLine()
    }
}

extension [UInt8] {
    static func notification(_ method: StaticString, _ writeParams: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.notification(method, writeParams)
        return writer.bytes
    }
}
