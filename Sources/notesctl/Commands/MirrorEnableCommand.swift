import ArgumentParser
import Console
import FolderSync
import Glibc
import NoteTasks
import NotesClient
import NotesModel
import StrictJSON

struct MirrorEnableCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Keep a folder in step as a service of your systemd.",
        discussion: """
            Examples:
              notesctl mirror enable ~/notes
              notesctl mirror enable --prefix work ~/work
              journalctl --user -u "$(notesctl mirror enable --format '{unit}' ~/notes)"

            Starts a mirror of DIR now and whenever you log in, as `systemctl --user enable --now` does for \
            the unit notesd-mirror@.service. `loginctl enable-linger` keeps your services running while you \
            are logged out.

            Checks first that the daemon answers, and that DIR is not in another mirrored folder. If DIR \
            was never mirrored, and both DIR and the notes have texts that the other one lacks, prints how \
            many there are and stops, unless you give --adopt. Makes no other change.

            The service uses the default socket. The folder keeps its prefix.

            With --json, prints an object with "path" and "unit".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder; created if it does not exist.", valueName: "dir"), completion: .directory)
    var directory: String

    @OptionGroup var contact: MirrorContact

    func perform() async throws {
        let path = MirrorRecords.path(of: directory)
        let unit = try MirrorService.unit(path, insteadRun: "notesctl mirror \(Shell.quoted(directory))")
        try checkSocket()
        try await options.withPipeline { client in
            let shown = try await contact.checked(directory, client)
            try MirrorRecords.checkFoldersAbove(path)
            guard !MirrorRecords.isRunning(path) || !MirrorService.isActive(unit) else { return }
            try await checkContact(client, shown)
        }
        try MirrorService.run("enable", unit)
        try MirrorService.report(path, unit, options) {
            [
                "enabled \(unit.name): keeps \(path.pathForPeople) in step now and after each login",
                "state: notesctl mirror status \(Shell.quoted(path.pathForPeople))",
                "log:   journalctl --user -u \(Shell.quoted(unit.name))",
            ]
        }
    }

    /// Makes the first contact, so that the service does not meet one that it cannot decide.
    private func checkContact(_ client: any NotesAPI, _ shown: (prefix: NamePrefix, files: FileChoice)) async throws {
        let root = try ExportCommand.made(directory)
        guard try await root.isLockedSoon() else {
            throw ExitFailure("another mirror of \(SafeText.line(directory)) is running; stop it first", .notNow)
        }
        _ = try await contact.mirror(directory, root, client, .lists, shown)
        withExtendedLifetime(root) {}
    }

    /// The service has the environment of the user's systemd, which does not have this one's socket.
    private func checkSocket() throws {
        let socket = try options.socketPath()
        guard socket != GlobalOptions.defaultSocket else { return }
        throw ExitFailure(
            "the service would use the default socket, not \(SafeText.line(socket)); without --socket and NOTESD_SOCKET, "
                + "`notesctl mirror enable` uses the default too", .usage)
    }
}

struct MirrorDisableCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Stop the service that keeps a folder in step.",
        discussion: """
            Examples:
              notesctl mirror disable ~/notes

            Stops the mirror that `mirror enable` started, and does not start it again, as \
            `systemctl --user disable --now` does. The files, the notes and the record of the folder stay; \
            `mirror forget` removes the record.

            With --json, prints an object with "path" and "unit".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The folder; it need not exist any more.", valueName: "dir"), completion: .directory)
    var directory: String

    func perform() async throws {
        let path = MirrorRecords.path(of: directory)
        let unit = try MirrorService.unit(path, insteadRun: nil)
        try MirrorService.run("disable", unit)
        try MirrorService.report(path, unit, options) {
            ["disabled \(unit.name): \(path.pathForPeople) is no longer kept in step"]
        }
    }
}

/// The calls of systemd that `mirror enable` and `mirror disable` share.
private enum MirrorService {
    /// The unit of a folder.
    ///
    /// - Parameter insteadRun: the command that mirrors the folder without systemd; nil for none.
    /// - Throws: `ExitFailure` if the user's systemd does not answer or lacks the template.
    static func unit(_ path: [UInt8], insteadRun command: String?) throws -> MirrorUnit {
        let instead = command.map { "; run `\($0)` instead, for example from your session's autostart" } ?? ""
        guard SystemFacts.isUserManagerThere else {
            throw ExitFailure("no systemd manager of this user answers\(instead)", .failed)
        }
        guard SystemFacts.isUnitFileThere(MirrorUnit.template) else {
            throw ExitFailure("the unit \(MirrorUnit.template) is not installed\(instead)", .failed)
        }
        guard let unit = MirrorUnit(folder: path) else {
            throw ExitFailure("the path \(path.pathForPeople) is too long for the name of a unit\(instead)", .usage)
        }
        return unit
    }

    static func isActive(_ unit: MirrorUnit) -> Bool {
        SystemFacts.units([Shell.quoted(unit.name)], isUser: true)?.first == "active"
    }

    /// Enables or disables a unit at once.
    ///
    /// - Throws: `ExitFailure` if systemd fails; it has printed the reason.
    static func run(_ verb: String, _ unit: MirrorUnit) throws {
        let end = try Child.run(["systemctl", "--user", "--quiet", verb, "--now", "--", unit.name])
        guard end.isSuccess else {
            throw ExitFailure(
                "`systemctl --user \(verb) --now \(Shell.quoted(unit.name))` \(end.text); "
                    + "see `systemctl --user status \(Shell.quoted(unit.name))`")
        }
    }

    static func report(_ path: [UInt8], _ unit: MirrorUnit, _ options: GlobalOptions, _ lines: () -> [String]) throws {
        guard options.isForPrograms else { return try Output.lines(lines()) }
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            line.member("unit", unit.name)
        }
        try options.emit(writer.bytes)
    }
}
