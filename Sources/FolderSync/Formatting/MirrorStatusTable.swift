package import Console
package import NoteTasks
import NoteText
package import NotesModel
import NotesWire
import StrictJSON

/// The output of `mirror status` for one folder: its state, then what waits, by kind.
package struct MirrorStatusTable {
    let now: Timestamp
    let local: (Timestamp) -> CalendarTime
    let style: Style

    package init(now: Timestamp, local: @escaping (Timestamp) -> CalendarTime, style: Style) {
        self.now = now
        self.local = local
        self.style = style
    }

    /// Most paths that are listed for each kind.
    static let pathsMax = 20

    /// - Parameters:
    ///   - isRunning: whether a mirror is running on the folder.
    ///   - isThere: whether the folder exists.
    package func lines(_ folder: MirrorRecords.Folder, isRunning: Bool, isThere: Bool) -> [String] {
        let state = folder.state
        let word = state.isInStep ? style.green(isRunning ? "in step" : "was in step") : style.red("not in step")
        let conflicts = state.conflicts > 0 ? ", \(state.conflicts) in conflict; see `notesctl conflicts`" : ""
        let path = Shell.quoted(folder.path.pathForPeople)
        let prefix = folder.prefix.bytes.isEmpty ? "" : " below \(folder.prefix.bytes.pathForPeople)"
        var lines = [
            "\(style.bold(folder.path.pathForPeople)): \(word), \(counted(state.notes, "note"))\(prefix), "
                + "\(counted(folder.files, "file"))\(conflicts)",
            "  " + (isRunning ? "a mirror is running" : "no mirror is running; `notesctl mirror \(path)` starts one") + "; "
                + (state.inStep.map { "last in step: \(moment($0))" } ?? "it was never in step"),
        ]
        if folder.choice == nil {
            lines.append("  pictures and other files are left out; `notesctl mirror --files known \(path)` takes them")
        }
        if !isThere { lines.append("  the folder is not there; mount its disk or move it back") }
        if let failure = state.failure { lines.append("  the last look failed: \(SafeText.line(failure))") }
        let held = HeldRemovals(state, at: now)
        lines += list(
            held.removals.map { $0.path.pathForPeople },
            "gone or empty; if that is right, `notesctl mirror approve \(path) --set \(held.digest)` deletes or empties "
                + "the notes; otherwise "
                + "put the files back")
        lines += list(
            state.waiting.filter { $0.kind == .held && $0.isApproved(at: now) }.map { $0.path.pathForPeople },
            "gone or empty, and approved; \(isRunning ? "the mirror" : "the next mirror") deletes or empties the notes")
        for (kind, what) in [
            (MirrorState.Waiting.Kind.skipped, "skipped"),
            (.refused, "refused by the daemon; the mirror tries again every ten seconds"), (.writing, "being written"),
            (.missing, "to be written when their bytes are here"), (.declined, "left out"),
        ] {
            let waiting = state.waiting.filter { $0.kind == kind }
            lines += list(waiting.map { "\($0.path.pathForPeople): \(SafeText.line($0.reason))" }, what)
        }
        lines += list(
            folder.taken.map { taken in
                "\(moment(taken.time)) \(taken.path.pathForPeople): \(counted(taken.lines.count, "line")) of "
                    + moment(taken.lines.came)
            },
            (folder.taken.count == 1 ? "save" : "saves")
                + " of the last day took out lines that had just come; `notesctl history NAME` has them")
        return lines
    }

    private func list(_ items: [String], _ what: String) -> [String] {
        guard !items.isEmpty else { return [] }
        var lines = ["  \(items.count) \(what):"] + items.prefix(Self.pathsMax).map { "    " + $0 }
        let rest = items.count - Self.pathsMax
        if rest > 0 { lines.append("    and \(rest) more; --json lists all") }
        return lines
    }

    private func moment(_ time: Timestamp) -> String {
        let parts = local(time)
        return "\(parts.day) \(parts.clock)"
    }
}

extension MirrorRecords.Folder {
    package func json(isRunning: Bool, at now: Timestamp) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            line.member("prefix", prefix.bytes.isEmpty ? nil : ByteString(checkedUTF8: prefix.bytes))
            line.member("kinds", choice.map { ByteString($0.kinds.rawValue) })
            line.member("running", isRunning)
            line.member("inStep", state.isInStep)
            line.member("looked", TimestampText.text(state.looked))
            line.member("lastInStep", state.inStep.map { ByteString(TimestampText.text($0)) })
            line.member("notes", state.notes)
            line.member("files", files)
            line.member("conflicts", state.conflicts)
            line.member("failure", state.failure.map { ByteString($0) })
            let held = HeldRemovals(state, at: now)
            line.member("set", held.removals.isEmpty ? nil : ByteString(held.digest))
            line.name("tookOut")
            line.array(of: taken) { array, taken in
                array.object { object in
                    object.member("path", String(decoding: taken.path, as: UTF8.self))
                    object.member("time", TimestampText.text(taken.time))
                    object.member("lines", taken.lines.count)
                    object.member("came", TimestampText.text(taken.lines.came))
                }
            }
            line.name("waiting")
            line.array(of: state.waiting) { array, waiting in
                array.object { object in
                    object.member("path", String(decoding: waiting.path, as: UTF8.self))
                    object.member("kind", waiting.kind.rawValue)
                    object.member("reason", waiting.reason)
                    if let removal = waiting.removal {
                        object.member("id", removal.note.description)
                        object.member("approved", waiting.isApproved(at: now))
                    }
                }
            }
        }
        return writer.bytes
    }
}
