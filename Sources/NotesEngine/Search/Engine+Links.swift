import NotesModel
import NotesSearch
import NotesStore

extension Engine {
    /// Takes a query about links. Returns its response if it is refused at once.
    func takeLinks(_ query: LinkQuery, _ request: Request) throws(JournalError) -> Response? {
        if let note = query.note {
            guard let head = try noteCache.newestHead(of: note), !head.isDeleted else { return .refused(.noteNotFound) }
        }
        return try takeSearch(.links(query), request)
    }

    /// The response with what the index found. A damaged note is left out.
    func links(_ findings: LinkFindings) throws(JournalError) -> Response {
        do throws(JournalError) {
            return try response(findings)
        } catch {
            if case .fatal = error { throw error }
            return .failed(RequestFailure(error))
        }
    }

    private func response(_ findings: LinkFindings) throws(JournalError) -> Response {
        switch findings {
        case .missing(let targets, let next): return .missingLinks(targets, next: next)
        case .resolved(let resolved):
            var answers: [(notes: [Head], more: Int)] = []
            for target in resolved {
                var heads: [Head] = []
                for note in target.notes { try head(of: note.id, asOf: note.commit).map { heads.append($0) } }
                answers.append((heads, target.more))
            }
            return .resolvedLinks(answers)
        case .incoming(let found, let next):
            var links: [IncomingLink] = []
            var last: (note: NoteID, head: Head?)?
            for link in found {
                if last?.note != link.note { last = (link.note, try head(of: link.note, asOf: link.commit)) }
                guard let head = last?.head else { continue }
                links.append(
                    IncomingLink(
                        head: head, kind: link.kind, start: link.start, end: link.end, target: link.target,
                        fragment: link.fragment, snippet: link.snippet))
            }
            return .incomingLinks(links, next: next)
        }
    }
}
