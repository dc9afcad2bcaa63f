import ArgumentParser
import Glibc
import NotesModel
import StrictJSON

struct MirrorApprove: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve the removals that a mirror holds back.",
        discussion: """
            Examples:
              notesctl mirror status ~/notes
              notesctl mirror approve ~/notes

            A mirror does not delete the notes of very many removed files by itself. `mirror status` \
            lists the files; this command approves exactly these. A running mirror deletes their notes at \
            once; without one, the next mirror does, if it starts within an hour. Files that go later, or \
            come back, are not covered. `notesctl op undo` undoes the deletions if they were made by \
            `mirror --once`; `notesctl undo NOTE` brings back a single note.

            With --json, prints one object per removal: "path", "change" (approved), and "id".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory)
    var directory: String

    func perform() async throws {
        let records = try MirrorRecords.open(isReadOnly: false)
        let folder = try MirrorStatus.folder(directory, among: try records?.folders() ?? [])
        let approved = try records?.approve(folder, at: Clock.now()) ?? []
        guard !approved.isEmpty else {
            return Output.note("no removal of \(folder.path.pathForPeople) waits for approval")
        }
        MirrorBell.ring()
        if options.isForPrograms {
            for waiting in approved { try options.emit(Self.json(waiting)) }
            return
        }
        for waiting in approved { try Output.line(waiting.path.pathForPeople) }
        let what = "approved: \(counted(approved.count, "removal"))"
        Output.note(
            MirrorRecords.isRunning(folder.path)
                ? "\(what); the running mirror deletes the notes"
                : "\(what); no mirror is running, and the next one deletes the notes if it starts within an hour")
    }

    private static func json(_ waiting: MirrorState.Waiting) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: waiting.path, as: UTF8.self))
            line.member("change", "approved")
            if let removal = waiting.removal { line.member("id", removal.note.description) }
        }
        return writer.bytes
    }
}

struct MirrorForget: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Stop keeping a folder in step, and remove its record.",
        discussion: """
            Examples:
              notesctl mirror forget ~/notes
              notesctl mirror disable ~/notes && notesctl mirror forget ~/notes

            Removes the record of what the files of DIR showed. Touches neither files nor notes. A later \
            `mirror`, `import` or `export` treats the files as never seen. Does nothing while a mirror is \
            running on DIR.

            With --json, prints an object with "path" and "files", the number of recorded files.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder; it need not exist any more.", valueName: "dir"), completion: .directory)
    var directory: String

    func perform() async throws {
        let path = MirrorRecords.path(of: directory)
        guard let files = try await forgotten(path) else {
            throw ExitFailure(
                "there is no record of \(SafeText.line(directory)); `notesctl mirror status` lists the folders", .usage)
        }
        if options.isForPrograms {
            var writer = JSONWriter()
            writer.object { line in
                line.member("path", String(decoding: path, as: UTF8.self))
                line.member("files", files)
            }
            return try options.emit(writer.bytes)
        }
        try Output.line("forgot \(path.pathForPeople) and what its \(counted(files, "file")) showed")
    }

    /// Removes the record of a folder.
    ///
    /// - Returns: the number of recorded files; nil if there is no record.
    /// - Throws: `ExitFailure` if a mirror is running on the folder.
    private func forgotten(_ path: [UInt8]) async throws -> Int? {
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY) else {
            return try MirrorRecords.open(isReadOnly: false)?.forget(path)
        }
        // The lock keeps a mirror from starting meanwhile.
        guard try await folder.isLockedSoon() else {
            throw ExitFailure(
                "a mirror of \(SafeText.line(directory)) is running; stop it first, or `notesctl mirror disable` its service",
                .notNow)
        }
        defer { withExtendedLifetime(folder) {} }
        return try MirrorRecords.open(isReadOnly: false)?.forget(path)
    }
}
