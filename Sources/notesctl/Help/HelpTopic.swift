import ArgumentParser

/// Help on what is not one command's: `notesctl help exit-codes`.
struct HelpTopic {
    let name: String
    let abstract: String
    /// Put together when it is asked for: the root command names all topics, and is made at every start.
    private let body: @Sendable () -> String

    var text: String { body() }

    static let all = [exitCodes, query, formats, environment]

    /// The names, for a sentence.
    static var list: String {
        let names = all.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// The topic that the command line asks for; nil where it asks for something else.
    static func asked(_ words: [String]) -> HelpTopic? {
        guard words.count == 2, words[0] == "help" else { return nil }
        return all.first { $0.name == words[1] }
    }

    private static let exitCodes = HelpTopic(
        name: "exit-codes", abstract: "what notesctl exits with",
        body: {
            """
            Examples:
              notesctl show work/inbox >/dev/null 2>&1; [ $? = 66 ] && echo "no such note"
              notesctl save work/inbox --base "$v" inbox.md || [ $? = 2 ]

            0    done
            1    failed; the message says why
            2    saved, and in conflict with what others wrote; nothing is lost, `notesctl conflicts` shows it
            64   wrong usage: an option, an argument, a field
            65   bad data: a text that is not UTF-8, a name that cannot be one, files that were left, a faulty store
            66   no such note, or no such revision
            69   no daemon, or the connection was lost
            75   not now: the disk is full or fails, the index is being rebuilt, or there is too much to do; try again
            77   not allowed

            A command that a signal ended has the shell's code for that, such as 130 for Ctrl-C.
            """
        })

    private static let query = HelpTopic(
        name: "query", abstract: "how notes are searched for",
        body: {
            """
            Examples:
              notesctl search milk bread
              notesctl search '"oat milk" OR tag:shopping'
              notesctl search 'name:diary/ -draft'

            word        notes that have the word, in any case, in their text, title or name
            "a phrase"  the words one behind the other
            pre*        words that begin so, two letters at least
            tag:x       notes with the tag x; tag:x/* with all that begin so
            name:x      notes whose name has x
            -word       not those that have it; NOT word does the same
            a b         both
            a OR b      one of the two at least; OR in capitals
            ( )         what belongs together

            AND binds before OR: `a b OR c` is `(a b) OR c`. Quote a query for the shell. A wrong one is refused, and it is said
            at which place.
            """
        })

    private static let formats = HelpTopic(
        name: "formats", abstract: "what --json, --format and -0 write",
        body: {
            """
            Examples:
              notesctl list --json
              notesctl list --json=id,name,author.user
              notesctl list --format '{modified}\\t{name}\\t{title}'
              notesctl list --format '{id}' -0 | xargs -0 -n 1 notesctl show

            --json           one object a line, as the protocol has it; one for a command that tells of one thing
            --json=F,G       only these fields, in this order; null where there is none. F.G is a field inside F.
            --format T       T for each, then a line feed. In T:
                               {field}         a field: a string as it is, nothing for null, the rest as JSON; an array of
                                               plain values with commas between
                               {field.inner}   a field inside one
                               \\n \\t \\0 \\\\ \\{ \\}  a line feed, a tab, a zero byte, and these marks
            -0, --null       a zero byte behind each, in place of the line feed

            A field that a command never writes is refused before anything is done. Fields are only ever added. On a terminal,
            what a terminal would obey is written as numbers.

            Fields:

            \(fieldTable)
            """
        })

    private static let environment = HelpTopic(
        name: "environment", abstract: "which variables and files notesctl reads",
        body: {
            """
            Examples:
              NOTESD_SOCKET=/run/notesd/notesd.sock notesctl status
              NO_COLOR=1 notesctl list
              EDITOR='code --wait' notesctl edit work/inbox

            NOTESD_SOCKET     the daemon's socket, unless --socket names it
            XDG_RUNTIME_DIR   below it is the user's own socket, notesd/notesd.sock; where there is none,
                              \(GlobalOptions.systemSocket), the shared service's, is taken
            VISUAL, EDITOR    the editor, as a command of the shell; else vi
            NOTESD_PAGER      the pager for what is longer than the screen; else PAGER, else less -FRX; empty or cat: none
            NO_COLOR          set: no colours
            COLUMNS           columns of what is wrapped, where the output is no terminal
            XDG_STATE_HOME    below it is notesctl/operations, which `notesctl op` reads, and beside that what an
                              editor works on; else ~/.local/state
            TMPDIR            where temporary files are, where there is no XDG_RUNTIME_DIR
            """
        })

    /// The fields of each kind of record, under the commands that write it.
    private static var fieldTable: String {
        var lines: [String] = []
        for (records, names) in writers {
            lines.append("\(names.joined(separator: ", ")):")
            lines += records.fields.map { "  " + DisplayWidth.fit($0.name, columns: 14) + $0.meaning }
            lines.append("")
        }
        return lines.dropLast().joined(separator: "\n")
    }

    /// Each kind of record with the commands that write it, in the order of the help.
    private static var writers: [(record: Record, commands: [String])] {
        var writers: [(record: Record, commands: [String])] = []
        for command in CommandTable.leaves {
            for record in command.type.records {
                if let index = writers.firstIndex(where: { $0.record.fields.map(\.name) == record.fields.map(\.name) }) {
                    writers[index].commands.append(command.name)
                } else {
                    writers.append((record, [command.name]))
                }
            }
        }
        return writers
    }
}

extension CommandTable {
    /// Commands that do something themselves, by their words.
    static var leaves: [(name: String, type: any NotesCommand.Type)] {
        all.flatMap { command -> [(name: String, type: any NotesCommand.Type)] in
            let below = command.type.configuration.subcommands.compactMap { type in
                (type as? any NotesCommand.Type).map { ("\(command.name) \($0._commandName)", $0) }
            }
            return ((command.type as? any NotesCommand.Type).map { [(command.name, $0)] } ?? []) + below
        }
    }
}
