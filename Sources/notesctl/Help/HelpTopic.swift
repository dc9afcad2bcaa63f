import NoteTasks

/// A help text that does not belong to one command, such as `notesctl help exit-codes`.
struct HelpTopic {
    let name: String
    let abstract: String
    /// Makes the text. Lazy, since every start creates the root command, which names all topics.
    private let body: @Sendable () -> String

    var text: String { body() }

    static let exitCodes = HelpTopic(
        name: "exit-codes", abstract: "exit codes of notesctl",
        body: {
            """
            Examples:
              notesctl show work/inbox >/dev/null 2>&1; [ $? = 66 ] && echo "no such note"
              notesctl save work/inbox --base "$v" inbox.md || [ $? = 2 ]

            0    success
            1    failure; the message says why
            2    saved, but in conflict with changes by others; nothing is lost, see `notesctl conflicts`
            64   usage error: a wrong option, argument or field
            65   bad data: text that is not UTF-8, an invalid name, skipped files, a damaged store
            66   no such note, or no such revision
            69   no daemon, or connection lost
            75   temporary failure: the disk is full or failing, the index is being rebuilt, or the daemon is
                 overloaded; try again
            77   permission denied

            After a signal, the shell reports its own code, such as 130 for Ctrl-C.
            """
        })

    static let query = HelpTopic(
        name: "query", abstract: "syntax of search queries",
        body: {
            """
            Examples:
              notesctl search milk bread
              notesctl search '"oat milk" OR tag:shopping'
              notesctl search 'name:diary/ -draft'

            word        notes with this word in their text, title or name; case is ignored
            "a phrase"  these words, one directly after the other
            pre*        words that start with pre; at least two letters
            tag:x       notes with the tag x; tag:x/* for all tags that start with x/
            link:x      notes with a link that means the note x, not within OR or ()
            name:x      notes with x in their name
            -word       notes without this word; NOT word does the same
            a b         both
            a OR b      at least one of them; write OR in capitals
            ( )         groups terms

            AND binds more tightly than OR: `a b OR c` means `(a b) OR c`. Quote the query for the shell. The message
            about an invalid query names the byte where it goes wrong.
            """
        })

    /// - Parameter fields: makes the list of all fields.
    static func formats(fields: @escaping @Sendable () -> String) -> HelpTopic {
        HelpTopic(
            name: "formats", abstract: "output of --json, --format and -0",
            body: {
                """
                Examples:
                  notesctl list --json
                  notesctl list --json=id,name,author.user
                  notesctl list --format '{modified}\\t{name}\\t{title}'
                  notesctl list --format '{id}' -0 | xargs -0 -n 1 notesctl show

                --json           one object per line, as in the protocol
                --json=F,G       only these fields, in this order; null for a missing one. F.G is the field G of the object F.
                --format T       T for each record, then a line feed. In T:
                                   {field}         a field: a string as it is, nothing for null, an array of plain values
                                                   separated by commas, anything else as JSON
                                   {field.inner}   a field of an object
                                   \\n \\t \\0 \\\\ \\{ \\}  a line feed, a tab, a zero byte, and these characters
                -0, --null       ends each record with a zero byte instead of a line feed

                A command rejects a field that it never prints, before it does anything else. New versions add fields and
                remove none. On a terminal, notesctl escapes control characters.

                Fields:

                \(fields())
                """
            })
    }

    static let environment = HelpTopic(
        name: "environment", abstract: "environment variables and files of notesctl",
        body: {
            """
            Examples:
              NOTESD_SOCKET=/run/notesd/notesd.sock notesctl status
              NO_COLOR=1 notesctl list
              EDITOR='code --wait' notesctl edit work/inbox

            NOTESD_SOCKET     the daemon's socket; --socket takes precedence
            XDG_RUNTIME_DIR   the directory of the user's own socket, notesd/notesd.sock; if that does not exist,
                              notesctl uses the socket of the shared service, \(GlobalOptions.systemSocket).
                              If the variable is not set, notesctl first looks for notesd/notesd.sock in the
                              state directory (see XDG_STATE_HOME), where `make run` puts it, and uses it if its
                              directory is yours and closed to others
            VISUAL, EDITOR    the editor, as a shell command; default vi
            NOTESD_PAGER      the pager for output longer than the screen; default PAGER, then less -FRX; empty or
                              cat for no pager
            NO_COLOR          if set, no colours
            COLUMNS           the width of wrapped output that does not go to a terminal
            XDG_STATE_HOME    the directory of notesctl/operations, which `notesctl op` reads, of the record of
                              imported and exported files, and of the files that editors work on, next to it;
                              default ~/.local/state
            TMPDIR            the directory of temporary files if XDG_RUNTIME_DIR is not set
            """
        })
}
