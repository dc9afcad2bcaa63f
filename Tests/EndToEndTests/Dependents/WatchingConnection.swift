import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

/// A connection with one watch, whose lines the test reads one by one.
struct WatchingConnection {
    let connection: RawConnection
    let start: WatchResult

    struct Received: Sendable {
        let line: WatchLine
        let notification: ServerNotification

        var note: NoteObject? {
            if case .changed(let changed) = notification, case .shown(let note) = changed.note { note } else { nil }
        }
        /// The value of `since` that resumes from here.
        var cursor: Cursor? {
            switch notification {
            case .changed(let changed): changed.cursor
            case .synced(let mark), .bookmark(let mark): mark.cursor
            default: nil
            }
        }
    }

    init(_ daemon: DaemonProcess, _ params: WatchNotes = WatchNotes()) async throws {
        connection = try await RawConnection.registered(daemon.socket)
        try await connection.send(Call.watch(params).line(id: .integer(1)))
        guard case .result(_, let value) = try ServerLine(parsing: try await Self.line(connection)) else {
            throw RawConnection.Ended(what: "the watch was refused")
        }
        start = try WatchResult(reading: value)
    }

    /// The next line of any kind.
    func notification() async throws -> ServerNotification {
        guard case .notification(let notification) = try ServerLine(parsing: try await Self.line(connection)) else {
            throw RawConnection.Ended(what: "a response to no request")
        }
        return notification
    }

    private static func line(_ connection: RawConnection) async throws -> [UInt8] {
        guard let line = try await connection.line() else { throw RawConnection.Ended(what: "the daemon hung up") }
        return line
    }

    func next() async throws -> Received {
        let line = try await Self.line(connection)
        guard case .notification(let notification) = try ServerLine(parsing: line),
            let judged = try line.withUnsafeBytes({ try WatchLine(parsing: $0) })
        else { throw RawConnection.Ended(what: "not a line of a watch: \(String(decoding: line, as: UTF8.self))") }
        return Received(line: judged, notification: notification)
    }

    /// The lines up to and including the first that matches.
    func lines(until isLast: (Received) -> Bool) async throws -> [Received] {
        var lines: [Received] = []
        repeat { lines.append(try await next()) } while !(lines.last.map(isLast) ?? true)
        return lines
    }

    /// The lines about everything that existed when the watch began.
    func untilSynced() async throws -> [Received] { try await lines { $0.line.event == .synced } }

    /// The lines up to one about a note with this title.
    func until(title: String) async throws -> [Received] { try await lines { $0.note?.head.title == ByteString(title) } }
}

extension RawConnection {
    /// Sends a request and requires a result.
    func result(of call: Call) throws -> JSONValue {
        try send(call.line(id: .integer(1)))
        guard case .result(_, let value) = try answer() else { throw Ended(what: "\(call.method) was refused") }
        return value
    }

    /// Creates a note, or saves a text based on its current version.
    func write(_ note: NoteID, _ text: String, name: ByteString? = nil, base: Version? = nil) throws -> Version {
        guard let base else {
            let create = CreateNote(text: bytes(text), name: name, id: note)
            return try CreateResult(reading: result(of: .write(.createNote(create)))).note.head.version
        }
        let save = SaveNote(id: note, base: base, text: bytes(text), name: name.map { .set($0) } ?? .leave)
        let outcome = try OutcomeResult(reading: result(of: .write(.saveNote(save))))
        return outcome.note?.version ?? outcome.version
    }
}
