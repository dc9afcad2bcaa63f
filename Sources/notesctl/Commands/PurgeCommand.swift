import ArgumentParser
import Causality
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

struct PurgeCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Erase everything that a note does not show any more.",
        discussion: """
            Examples:
              notesctl purge work/router
              notesctl purge work/router --text 'correct horse'
              notesctl purge work/router --text - --yes < secret.txt

            Removes the earlier texts and names of a note from its history and from the files of the \
            daemon, for good. What the note shows now stays, so remove the text from the note first. The \
            history then begins with the purge. Shows what goes, and asks.

            --text names the text to get rid of. The command then refuses to purge while the note still \
            shows it, and afterwards lists the other notes that have it now or had it in the past. With \
            `-`, it reads the text from the first line of standard input, so that it is not in the history \
            of your shell.

            Other machines that have the notes erase their copies when the purge reaches them, if the user of \
            the connection has admin access there. The bytes of files that nothing else names are erased, \
            too; the command lists the notes that still have some of them. The daemon cannot erase what is not in a store: backups, \
            exported and mirrored files, and files of editors. The command lists what it knows of. Needs \
            admin access.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The note; a deleted one by its last name or by its id.", completion: NoteCompletion.notes)
    var note: String

    @Option(name: .long, help: ArgumentHelp("The text to get rid of; - reads a line.", valueName: "text"))
    var text: String?

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    func validate() throws {
        if text == "" { throw ValidationError("--text must not be empty.") }
    }

    func perform() async throws {
        let secret = try text.map(Self.secret)
        try await options.withClient { client in
            let shown = try await NoteReference(note).note(client, deleted: true)
            let name = SafeText.line(shown.head.isDeleted ? note : NoteLabel.of(shown.head))
            if let secret { try refuse(shown, showing: secret, name) }
            let history = try await Revisions(client, shown.head.id).all()
            let peers = try await peerCount(client)
            for line in ErasedPart(history).lines(of: name, local: Clock.local) { Output.note(line) }
            if peers > 0 {
                Output.note(
                    "\(counted(peers, "other machine has", plural: "other machines have")) these notes, and each erases its copy "
                        + "only if the user of the exchange is an administrator there, which is not known here. If somebody has "
                        + "changed the note there and that has not come here yet, nothing is erased there either, and the note is "
                        + "no longer kept in step: run `notesctl peer list` first")
            }
            try confirm()
            let result: PurgeResult
            do {
                result = try await client.call(.write(.purgeNote(PurgeNote(id: shown.head.id, base: shown.head.version))))
            } catch {
                throw explained(error, "cannot purge \(name)")
            }
            if options.isForPrograms {
                try options.emit(result.json)
            } else {
                try Output.line(Terminal.isOutput ? "purged \(name)" : result.version.description)
            }
            if let secret { try await SecretSearch(secret, client).report(besides: shown.head.id) }
            if let files = result.files { try await Self.report(files, of: shown.head.id, name, client) }
            Self.report(result.beyond)
            let status: StatusResult = try await client.call(.status)
            if !status.store.isScrubbed {
                Output.note("the daemon is still removing the bytes from its files; `notesctl status` says when that is done")
            }
        }
    }

    /// The bytes of the option's value, or of a line of standard input.
    private static func secret(_ option: String) throws -> [UInt8] {
        guard option == "-" else { return Array(option.utf8) }
        if Terminal.isInput { Output.note("which text? (it is not kept)") }
        guard let line = readLine(), !line.isEmpty else {
            throw ExitFailure("--text - needs a line on standard input; it was empty", .usage)
        }
        return Array(line.utf8)
    }

    /// - Throws: `ExitFailure` if the note shows the text, which a purge would keep.
    private func refuse(_ shown: NoteObject, showing secret: [UInt8], _ name: String) throws {
        guard !(shown.head.name.map { Array($0.bytes.utf8).contains(secret) } ?? false) else {
            throw ExitFailure(
                "the name of the note contains the text, and a purge keeps the name; rename the note with `notesctl mv`, then "
                    + "purge it", .badData)
        }
        let places = SecretSearch.lines(with: secret, in: shown.text ?? [])
        guard !places.isEmpty else { return }
        throw ExitFailure(
            "\(name) still contains the text, in \(SecretSearch.words(places)), and a purge keeps what the note shows; remove the "
                + "text with `notesctl edit \(NoteLabel.reference(shown.head))`, then purge the note", .badData)
    }

    private func peerCount(_ client: any NotesAPI) async throws -> Int {
        guard await client.hello?.capabilities.contains("replication") == true else { return 0 }
        let result: PeersResult = try await client.call(.listPeers)
        return result.peers.count
    }

    private func confirm() throws {
        guard !yes else { return }
        guard Terminal.isInput else {
            throw ExitFailure("confirm with --yes, since standard input is not a terminal; nothing was changed", .usage)
        }
        guard Output.isConfirmed("Nothing brings it back, not even undo. Go on?") else {
            throw ExitFailure("nothing was changed", .failed)
        }
    }

    /// Prints what the purge did to files, and which notes keep some of them.
    private static func report(_ files: PurgedFiles, of id: NoteID, _ name: String, _ client: any NotesAPI) async throws {
        if files.erased > 0 { Output.note("erased the bytes of \(counted(files.erased, "file"))") }
        guard files.kept > 0 else { return }
        Output.note("\(counted(files.kept, "file is", plural: "files are")) still there, since a note or its history has them:")
        var lines: [String] = []
        for note in files.notes.prefix(namedMax) {
            guard note != id else {
                lines.append("  \(name) still shows one; to erase it, too, delete the note and purge it again")
                continue
            }
            let object = try? await NoteReference("\(note)").note(client, deleted: true)
            lines.append("  \(SafeText.line(object.map { NoteLabel.of($0.head) } ?? "\(note)"))")
        }
        let rest = files.notes.count - namedMax
        if rest > 0 { lines.append("  and \(counted(rest, "more note"))") }
        Output.explain(lines)
    }

    /// The notes that keep files and are printed.
    private static let namedMax = 20

    /// Prints the places that the daemon cannot reach.
    private static func report(_ beyond: [PurgeResult.Place]) {
        var backups: [String] = []
        var others: [String] = []
        for place in beyond {
            switch place {
            case .backup(let path): backups.append("  rm \(SafeText.line(Shell.quoted("\(path)")))")
            case .copies: others.append("copies of the store")
            case .exports: others.append("exported and mirrored files")
            case .drafts: others.append("swap files and drafts of editors")
            }
        }
        if !backups.isEmpty {
            let these = backups.count == 1 ? "this backup has" : "these \(backups.count) backups have"
            Output.note("\(these) the erased texts, as far as it is older than they; to remove it:")
            Output.explain(backups)
        }
        if !others.isEmpty {
            Output.note("out of reach, and perhaps with the erased texts: \(others.joined(separator: ", "))")
        }
    }
}
