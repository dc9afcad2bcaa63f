package import NoteText
package import NotesModel
import StrictJSON

/// A line from the daemon that is not a response, as a client reads it.
package enum ServerNotification: Hashable, Sendable {
    /// `note.changed`: a note changed.
    case changed(NoteChanged)
    /// `watch.synced`: a watch has caught up.
    case synced(WatchMark)
    /// `watch.bookmark`: an idle watch has a newer cursor.
    case bookmark(WatchMark)
    /// `watch.reset`: a watch dropped lines.
    case reset(WatchReset)
    /// `session.closing`: the daemon will close the connection.
    case closing(SessionClosing)
    /// `progress`: the progress of a request.
    case progress(RequestProgress)
    /// `revisions.page`: revisions for a peer.
    case revisions(RevisionsPage)
    /// `presence.changed`: a user moved in a note, or left it.
    case presence(PresenceChanged)
    /// A method that this client does not know and ignores.
    case unknown(method: ByteString)

    init(method: ByteString, params: JSONValue) throws(ParamFault) {
        switch method {
        case "note.changed": self = .changed(try NoteChanged(reading: params))
        case "watch.synced": self = .synced(try WatchMark(reading: params))
        case "watch.bookmark": self = .bookmark(try WatchMark(reading: params))
        case "watch.reset": self = .reset(try WatchReset(reading: params))
        case "session.closing": self = .closing(try SessionClosing(reading: params))
        case "progress": self = .progress(try RequestProgress(reading: params))
        case "revisions.page": self = .revisions(try RevisionsPage(reading: params))
        case "presence.changed": self = .presence(try PresenceChanged(reading: params))
        default: self = .unknown(method: method)
        }
    }
}

/// `watch.synced` or `watch.bookmark`: every change up to `cursor` has been delivered.
package struct WatchMark: Hashable, Sendable {
    /// The number of the watch.
    package var watch: UInt64
    /// The number of the line in the watch, from 1 without a gap.
    package var seq: UInt64
    /// The position to resume from.
    package var cursor: Cursor

    package init(watch: UInt64, seq: UInt64, cursor: Cursor) {
        self.watch = watch
        self.seq = seq
        self.cursor = cursor
    }

    /// The line of a `watch.synced`, including its LF.
    package func syncedLine() -> [UInt8] {
        .notification("watch.synced", writeMembers)
    }

    /// The line of a `watch.bookmark`, including its LF.
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

/// `watch.reset`: the watch dropped pending lines. The changes since the last delivered cursor
/// follow, then `watch.synced`.
package struct WatchReset: Hashable, Sendable {
    /// The number of the watch.
    package var watch: UInt64
    /// The number of the line in the watch, from 1 without a gap.
    package var seq: UInt64
    /// A word that programs match, such as `outbox_full`.
    package var reason: ByteString

    package init(watch: UInt64, seq: UInt64, reason: ByteString) {
        self.watch = watch
        self.seq = seq
        self.reason = reason
    }

    /// The notification line, including its LF.
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
    /// A word that programs match, such as `shutting_down`.
    package var reason: ByteString
    /// Time after which the client may reconnect; nil if reconnecting will not help.
    package var retryAfterMilliseconds: Int?

    package init(reason: ByteString, retryAfterMilliseconds: Int?) {
        self.reason = reason
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// The notification line, including its LF.
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
    /// Writes a notification line, including its LF.
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
