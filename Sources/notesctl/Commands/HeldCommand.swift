import ArgumentParser
import Causality
import Console
import NoteTasks
import NotesClient
import NotesMethods
import NotesModel
import NotesWire

struct HeldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held",
        abstract: "List and drop revisions of other machines that no note contains.",
        discussion: """
            Examples:
              notesctl held list
              notesctl held show 9f86d081884c7d65:7
              notesctl held drop 9f86d081884c7d65:7

            The daemon holds a revision apart if its parents have not arrived, or if it does not fit its note. \
            Your notes are whole without it, and backups can be restored. `notesctl held` without a subcommand \
            lists these revisions.
            """,
        subcommands: [HeldListCommand.self, HeldShowCommand.self, HeldDropCommand.self], defaultSubcommand: HeldListCommand.self)

    /// Reads the dot of a revision.
    ///
    /// - Throws: `ExitFailure` if the text is not a dot.
    static func dot(_ text: String) throws -> Dot {
        guard let dot = Dot(parsing: text.utf8) else {
            throw ExitFailure(
                "\(SafeText.quoted(text)) is not a revision; use the form 9f86d081884c7d65:7, as shown by `notesctl held list`",
                .usage)
        }
        return dot
    }

    /// The held revisions with a dot, with their whole texts.
    ///
    /// - Throws: `ExitFailure` if there are none.
    static func revisions(_ dot: Dot, _ client: any NotesAPI) async throws -> [HeldRevision] {
        var found: [HeldRevision] = []
        try await client.eachHeldPage(ListHeld(dot: dot)) { found += $0.revisions }
        guard !found.isEmpty else {
            throw ExitFailure("no held revision has the dot \(dot); see `notesctl held list`", .noNote)
        }
        return found
    }
}

struct HeldListCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the revisions of other machines that no note contains.",
        discussion: """
            Examples:
              notesctl held list
              notesctl held list --json | jq -r 'select(.reason != null) | .dot'

            Prints for each revision its dot, its note, its author and time as the other machine states them, \
            and why no note contains it. The daemon does not record which machine offered it. A revision that \
            waits for its parents becomes part of its note when they arrive. The daemon tries the others again \
            when it starts.
            """)

    @OptionGroup var options: GlobalOptions

    func perform() async throws {
        options.page()
        try await options.withClient { client in
            var isEmpty = true
            try await client.eachHeldPage(ListHeld(limit: WireProtocol.listLimits.upperBound)) { page in
                isEmpty = isEmpty && page.revisions.isEmpty
                if options.isForPrograms {
                    for revision in page.revisions { try options.emit(revision.json) }
                } else {
                    let heads = try await client.heads(of: page.revisions.map(\.note))
                    let text = HeldText(heads: heads, style: Terminal.style)
                    try Output.lines(page.revisions.map(text.line))
                }
            }
            if isEmpty, Terminal.isOutput { Output.note("no revisions are held") }
        }
    }
}

struct HeldShowCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the text that a held revision inserts.",
        discussion: """
            Examples:
              notesctl held show 9f86d081884c7d65:7
              notesctl held show --json 9f86d081884c7d65:7 | jq -r .inserts

            Several revisions can have one dot; all of them are shown. The text is what the revision inserts \
            into its note, without what was there before.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The revision, as `held list` prints it.")
    var dot: String

    func perform() async throws {
        let dot = try HeldCommand.dot(dot)
        options.page()
        try await options.withClient { client in
            let revisions = try await HeldCommand.revisions(dot, client)
            if options.isForPrograms {
                for revision in revisions { try options.emit(revision.json) }
                return
            }
            let heads = try await client.heads(of: revisions.map(\.note))
            let text = HeldText(heads: heads, style: Terminal.style)
            try Output.lines(revisions.flatMap(text.whole))
        }
    }
}

struct HeldDropCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Remove held revisions from the store.",
        discussion: """
            Examples:
              notesctl held drop 9f86d081884c7d65:7
              notesctl held drop --yes 9f86d081884c7d65:7 9f86d081884c7d65:8

            Shows the revisions, and asks. Notes do not change. A machine that still has a dropped revision \
            may offer it again, and the daemon then holds it again. Needs admin access.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The revisions, as `held list` prints them.")
    var dots: [String]

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    func validate() throws {
        if dots.count > WireProtocol.droppedMax {
            throw ValidationError("Give at most \(WireProtocol.droppedMax) revisions at once.")
        }
    }

    func perform() async throws {
        let dots = try dots.map(HeldCommand.dot)
        try await options.withClient { client in
            var revisions: [HeldRevision] = []
            for dot in dots { revisions += try await HeldCommand.revisions(dot, client) }
            let heads = try await client.heads(of: revisions.map(\.note))
            for revision in revisions { Output.note(HeldText(heads: heads, style: Style(isOn: false)).line(revision)) }
            try confirm()
            let result: DropResult
            do {
                result = try await client.call(.dropHeld(dots))
            } catch {
                throw explained(error, "cannot drop")
            }
            if options.isForPrograms {
                try options.emit(result.json)
            } else {
                try Output.line("dropped \(counted(result.dropped, "revision"))")
            }
        }
    }

    private func confirm() throws {
        guard !yes else { return }
        guard Terminal.isInput else {
            throw ExitFailure("confirm with --yes, since standard input is not a terminal; nothing was changed", .usage)
        }
        guard Output.isConfirmed("Nothing brings them back, unless a machine offers them again. Go on?") else {
            throw ExitFailure("nothing was changed", .failed)
        }
    }
}
