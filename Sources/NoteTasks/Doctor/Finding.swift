package import Console
import NoteText
package import NotesMethods
package import NotesModel
package import NotesWire
import StrictJSON

/// The result of one of the checks of `doctor`.
package struct Finding: Hashable {
    package enum Severity: String {
        case ok
        /// Worth knowing, but nothing is broken.
        case note
        case fault
    }

    let check: String
    package let severity: Severity
    let what: String
    /// The advice; nil if there is nothing to do.
    let todo: String?

    package static func ok(_ check: String, _ what: String) -> Finding {
        Finding(check: check, severity: .ok, what: what, todo: nil)
    }

    package static func note(_ check: String, _ what: String, todo: String? = nil) -> Finding {
        Finding(check: check, severity: .note, what: what, todo: todo)
    }

    package static func fault(_ check: String, _ what: String, todo: String) -> Finding {
        Finding(check: check, severity: .fault, what: what, todo: todo)
    }

    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("check", check)
            line.member("severity", severity.rawValue)
            line.member("what", what)
            line.member("todo", todo.map { ByteString($0) })
        }
        return writer.bytes
    }

    package func lines(_ style: Style) -> [String] {
        let mark =
            switch severity {
            case .ok: style.green("ok   ")
            case .note: style.yellow("note ")
            case .fault: style.red("FAULT")
            }
        let first = "\(mark)  \(DisplayWidth.fit(check, columns: Self.checkColumns))  \(SafeText.line(what))"
        let indent = String(repeating: " ", count: 5 + 2 + Self.checkColumns + 2)
        return [first] + (todo.map { [indent + style.bold("do: ") + SafeText.line($0)] } ?? [])
    }

    private static let checkColumns = 11
}

/// The checks of the daemon's status and of the files around its socket.
package enum Diagnosis {
    static let version = "version"
    static let state = "state"

    package static func versions(_ server: ClientInfo) -> Finding {
        let daemon = SafeText.line("\(server.version ?? "")")
        guard daemon != Program.version else { return .ok(version, "the daemon and notesctl are both \(daemon)") }
        return .note(
            version, "the daemon is \(daemon), notesctl \(Program.version)",
            todo: "restart the daemon if it was upgraded, and check that `which -a notesctl` finds only one")
    }

    package static func state(_ status: StatusResult) -> Finding {
        switch status.state {
        case .ok: .ok(state, "the daemon reads and writes")
        case .full:
            .fault(state, "the store's disk is full; the daemon is read-only", todo: "free some space; writes then resume")
        case .readOnly:
            .fault(
                state, "the daemon cannot write its store",
                todo: "see its log for the reason (journalctl -u notesd, or --user -u notesd), then restart it")
        }
    }

    /// Bytes of write-ahead log above which checkpoints must be failing.
    static let walBytesMax = 256 * 1_024 * 1_024

    package static func store(_ status: StatusResult) -> [Finding] {
        let store = status.store
        var findings = [
            Finding.ok(
                "store",
                "\(counted(store.notes, "note")), \(counted(store.revisions, "revision")), \(ByteCount.text(store.storeBytes)) on disk"
            )
        ]
        if store.conflicted > 0 {
            findings.append(.note("conflicts", "\(counted(store.conflicted, "note")) in conflict", todo: "notesctl conflicts"))
        }
        if !store.isScrubbed {
            findings.append(
                .note(
                    "purge", "erased text may still be in the store's files",
                    todo: "wait until a running backup has ended; otherwise see the daemon's log"))
        }
        if store.walBytes > walBytesMax {
            findings.append(
                .note(
                    "log", "the write-ahead log has grown to \(ByteCount.text(store.walBytes))",
                    todo: "another program is reading the database file and blocks the checkpoint; close it"))
        }
        return findings
    }

    /// - Parameter days: the value of `history.keep_days`.
    package static func compaction(days: String, peers: Int) -> Finding {
        .note(
            "history",
            "texts older than \(days) days are removed here, and \(counted(peers, "other machine")) may have based on one what has "
                + "not come here yet; such a change arrives only from a machine that still has the texts",
            todo: "keep all texts (remove history.keep_days), or more days than any machine is ever away")
    }

    /// Seconds by which the last write may be ahead of the clock.
    private static let aheadSeconds: Int64 = 120
    /// A time before this program was written: an earlier clock is wrong.
    private static let earliest = Timestamp(milliseconds: 1_760_000_000_000)

    /// - Parameters:
    ///   - lastCommit: the time of the newest revision; nil in an empty store.
    ///   - isSynchronised: whether a time service keeps the clock right; nil if unknown.
    package static func clock(now: Timestamp, lastCommit: Timestamp?, isSynchronised: Bool?) -> Finding {
        let todo = "set the clock, or synchronise it: timedatectl set-ntp true"
        if now.milliseconds < earliest.milliseconds {
            return .fault("clock", "the clock shows \(TimestampText.text(now)), which cannot be right", todo: todo)
        }
        if let lastCommit, (lastCommit.milliseconds - now.milliseconds) / 1_000 > aheadSeconds {
            return .fault(
                "clock",
                "the last change is dated \(TimestampText.text(lastCommit)), but the clock shows \(TimestampText.text(now))",
                todo: todo)
        }
        if isSynchronised == false {
            return .note("clock", "the clock is not synchronised; the times of notes may be wrong", todo: todo)
        }
        return .ok("clock", "\(TimestampText.text(now))")
    }

    /// Free bytes below which the store may soon run out of space.
    private static let freeBytesMin: UInt64 = 512 * 1_024 * 1_024

    /// - Parameter free: bytes that this user may still write on the disk.
    package static func disk(_ path: String, free: UInt64) -> Finding {
        let text = "\(ByteCount.text(Int(clamping: free))) free on the disk of \(path)"
        return free >= freeBytesMin ? .ok("disk", text) : .fault("disk", "only " + text, todo: "free some space on that disk")
    }

    /// Checks whether another user could replace the socket.
    ///
    /// - Parameters:
    ///   - mode: permission bits of the socket's directory.
    ///   - isOwn: whether the directory belongs to the user or to root.
    package static func folder(_ path: String, mode: UInt32, isOwn: Bool) -> Finding {
        let isOpen = mode & 0o002 != 0 && mode & 0o1000 == 0
        guard isOpen || !isOwn else { return .ok("permissions", "\(path) is protected from other users") }
        let what = isOpen ? "any user can replace the socket in \(path)" : "\(path) belongs to another user"
        return .fault("permissions", what, todo: "chmod o-w \(Shell.quoted(path)), or put the socket elsewhere")
    }
}
