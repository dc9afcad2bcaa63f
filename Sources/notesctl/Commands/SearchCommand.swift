import ArgumentParser
import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire

struct SearchCommand: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search notes by text, name and tag.",
        discussion: """
            Examples:
              notesctl search milk bread
              notesctl search '"oat milk" tag:shopping -name:archive'
              notesctl search --edit --first 'name:diary tag:today'
              notesctl search --json milk | jq -r .note.id

            Prints the notes that match, best match first, each with an excerpt of its text. \
            Ignores case and accents. The syntax of QUERY:

              milk bread       both words; AND between them is optional
              "oat milk"       these words, one directly after the other
              mil*             words that start with mil; at least two letters
              tag:todo         notes with this tag; tag:work/* for all tags below work/
              name:inbox       only in the name
              link:inbox       notes with a link that means the note inbox
              milk -bread      milk, but not bread; NOT does the same
              milk OR bread    at least one of them; parentheses (…) group terms

            The shell interprets quotation marks and stars, so quote the whole query; put -- before \
            a query that starts with -. If more than 10,000 notes match, finds only the newest \
            10,000. The exit code is 1 if no note matches, and 75 while the daemon rebuilds the \
            index.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The query.")
    var query: [String]

    @Option(name: .long, help: "Kind of the notes: text, file or any. A file is found by its name and description.")
    var kind = ListCommand.Kind.text

    @Flag(name: [.customShort("e"), .customLong("edit")], help: "Edit the note found, as `notesctl edit` does.")
    var edits = false

    @Flag(name: .long, help: "If several notes match, use only the best one.")
    var first = false

    @Option(name: .long, help: "Show at most this many.")
    var limit = PageSize.found

    func validate() throws {
        guard (1...Self.limitMax).contains(limit) else {
            throw ValidationError("--limit must be from 1 to \(Self.limitMax), not \(limit)")
        }
    }

    /// Largest `--limit`: the daemon ranks at most this many notes.
    private static let limitMax = 10_000
    /// Maximum number of notes listed if `--edit` finds several.
    private static let namedMax = 10

    func perform() async throws {
        let text = query.joined(separator: " ")
        let parsed: SearchQuery
        do throws(SearchQueryFault) {
            parsed = try SearchQuery(parsing: ByteString(text))
        } catch {
            throw ExitFailure("\(SafeText.quoted(text)): byte \(error.offset) \(error.reason)", .usage)
        }
        let limit = edits ? (first ? 1 : Self.namedMax + 1) : first ? 1 : limit
        let (found, hint) = try await options.withClient { client in
            let found = try await find(parsed, limit: limit, client)
            return (found, found.hits.isEmpty && !options.isForPrograms ? try await Self.hint(parsed, client) : nil)
        }
        guard !found.hits.isEmpty else {
            if let hint {
                Output.note(hint)
            } else if Terminal.isOutput || edits {
                Output.note("no note matches \(SafeText.quoted(text))")
            }
            throw ExitCode(ExitStatus.failed.rawValue)
        }
        if edits { return try await edit(found.hits) }
        if options.isForPrograms {
            for hit in found.hits { try options.emit(hit.json) }
        } else {
            options.page()
            try Output.lines(HitList(columns: Terminal.columns, style: Terminal.style).lines(found.hits))
        }
        if found.isTruncated, Terminal.isOutput {
            Output.note("more than 10,000 notes match; only the newest 10,000 were ranked")
        }
    }

    /// Explains why a search for tags found nothing; nil if there is nothing to say.
    private static func hint(_ query: SearchQuery, _ client: any NotesAPI) async throws -> String? {
        let wanted = query.root.requiredTerms.filter { $0.field == .tag && !$0.isPrefix }
        guard !wanted.isEmpty else { return nil }
        for term in wanted {
            if let hint = NestedTags.hint(term.words, among: try await client.tags(startingWith: term.words)) { return hint }
        }
        return nil
    }

    /// The best matches, at most `limit`, read over as many pages as necessary.
    private func find(_ query: SearchQuery, limit: Int, _ client: any NotesAPI) async throws -> SearchResult {
        var found = SearchResult(hits: [], next: nil, isTruncated: false)
        repeat {
            let count = min(limit - found.hits.count, WireProtocol.searchLimits.upperBound)
            do {
                let page = try await client.search(
                    SearchNotes(query: query, kind: NoteKind(rawValue: kind.rawValue), limit: count, after: found.next))
                found.hits += page.hits
                found.isTruncated = found.isTruncated || page.isTruncated
                found.next = page.next
            } catch ClientError.refused(let refusal) where refusal.kind == .invalidParams {
                throw ExitFailure("cannot search: \(SafeText.line(refusal.message))", .usage)
            } catch {
                throw explained(error, "cannot search")
            }
        } while found.next != nil && found.hits.count < limit
        return found
    }

    /// Edits the only hit.
    ///
    /// - Throws: `ExitFailure` if there are several.
    private func edit(_ hits: [SearchResult.Hit]) async throws {
        guard hits.count == 1 else {
            let names = hits.prefix(Self.namedMax).map { "\n  \(SafeText.line(NoteLabel.of($0.note.head)))" }.joined()
            let more = hits.count > Self.namedMax ? "\n  … and more" : ""
            throw ExitFailure(
                "several notes match; narrow the query, or use the best match with --first:\(names)\(more)", .usage)
        }
        var arguments = ["--socket", try options.socketPath()] + (options.json ? ["--json"] : [])
        if let fields = options.fields { arguments.append("--fields=\(fields)") }
        if let format = options.format { arguments.append("--format=\(format)") }
        if options.null { arguments.append("--null") }
        let edit = try EditCommand.parse(arguments + [hits[0].note.head.id.description])
        try edit.options.check(EditCommand.self)
        try await edit.perform()
    }
}

/// Formats the hits of `search`: two lines per note, its label and an excerpt.
struct HitList {
    /// Width of the terminal; nil if the output is not a terminal, and then nothing is cut.
    let columns: Int?
    let style: Style

    /// - Complexity: O(n log n), to shorten the ids.
    func lines(_ hits: [SearchResult.Hit]) -> [String] {
        let idLength = ShortID.length(for: hits.map(\.note.head.id))
        return hits.flatMap { hit in
            let head = hit.note.head
            let label = SafeText.line(NoteLabel.of(head))
            let fitted = columns.map { DisplayWidth.fit(label, columns: max(12, $0 - idLength - 2), fills: false) } ?? label
            return ["\(style.dim(ShortID.text(head.id, idLength)))  \(style.bold(fitted))", "    " + snippet(hit)]
        }
    }

    /// The excerpt on one line, or the type and size of a file without a description. In the excerpt, runs of white space become single spaces, and matches are coloured if
    /// the style has colours.
    private func snippet(_ hit: SearchResult.Hit) -> String {
        if hit.snippet.isEmpty, let file = hit.note.head.file {
            return "\(FileType.of(hit.note.head.name)), \(ByteCount.text(file.bytes))"
        }
        var (line, found) = ("", "")
        var width = 4
        // Set if a space goes before the next character: whether that space is part of a match.
        var isSpaceFound: Bool?
        var offset = 0
        func add(_ shown: String, isFound: Bool) {
            if isFound {
                found += shown
            } else {
                line += style.yellow(found) + shown
                found = ""
            }
        }
        for scalar in String(decoding: hit.snippet, as: UTF8.self).unicodeScalars {
            let isFound = hit.ranges.contains { $0.contains(offset) }
            offset += scalar.utf8.count
            if scalar.properties.isWhitespace {
                if width > 4, isSpaceFound == nil { isSpaceFound = isFound }
                continue
            }
            let shown = SafeText.line(String(scalar))
            width += DisplayWidth.of(shown) + (isSpaceFound == nil ? 0 : 1)
            if let columns, width > columns { break }
            if let isSpaceFound { add(" ", isFound: isSpaceFound) }
            isSpaceFound = nil
            add(shown, isFound: isFound)
        }
        return line + style.yellow(found)
    }
}
