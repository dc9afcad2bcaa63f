import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

extension ToolRunner {
    /// The links to a note and, on the first page, those in it. Notes outside the scope neither link nor
    /// are meant.
    func links(_ arguments: JSONValue) async throws -> ToolResult {
        let after = try string(arguments, "after").map { token throws(ToolFailure) in
            guard let place = LinkToken.position(parsing: token) else { throw ToolFailure("after is not a next of note_links") }
            return place
        }
        let note = try await note(arguments)
        if note.head.isDeleted { throw ToolFailure(Self.deleted) }
        let page = try await incoming(note, after: after)
        let own = after == nil ? Links.of(note.text ?? []).filter { !$0.target.isEmpty } : []
        let outgoing = try await outgoing(own.prefix(ToolLimits.links), of: note)
        var text = "\(line(note))\n\(counted(page.links.count, "link")) to it\(page.next == nil ? "" : ", and more")"
        for link in page.links {
            let head = link.note.head
            text += "\n\(SafeText.line("\(NoteLabel.of(head)); id \(head.id): \(Self.snippet(link))"))"
        }
        if let next = page.next { text += "\nnext: \(LinkToken.text(next))" }
        if after == nil { text += "\n\n\(counted(own.count, "link")) in it" }
        for (link, head) in outgoing {
            let meaning = head.map { "\(NoteLabel.of($0)); id \($0.id)" } ?? "no note"
            text += "\n\(SafeText.line("\(link.target): \(meaning)"))"
        }
        if own.count > outgoing.count { text += "\nand \(counted(own.count - outgoing.count, "more link"))" }
        return .success(Array(text.utf8)) { result in
            result.name("to")
            result.array(of: page.links) { writer, link in
                writer.object { object in
                    writeName(of: link.note.head, to: &object)
                    object.member("target", link.target)
                    object.member("line", Self.snippet(link))
                }
            }
            result.name("from")
            result.array(of: outgoing) { writer, link in
                writer.object { object in
                    object.member("target", link.link.target)
                    if let head = link.head { writeName(of: head, to: &object) }
                }
            }
            if let next = page.next { result.member("next", LinkToken.text(next)) }
        }
    }

    /// A page of links in notes of the scope. Within a scope there is only one page, since the place of
    /// the next one names a note that may be outside.
    private func incoming(_ note: NoteObject, after: LinkPosition?) async throws -> IncomingLinksResult {
        var page = try await client.links(to: ListIncomingLinks(id: note.head.id, limit: ToolLimits.links, after: after))
        guard scope.isRestricted else { return page }
        guard after == nil else { throw ToolFailure("there are no more pages") }
        page.links.removeAll { !scope.contains($0.note.head) }
        while page.links.count < ToolLimits.links, let next = page.next {
            let more = try await client.links(to: ListIncomingLinks(id: note.head.id, limit: ToolLimits.links, after: next))
            page.links += more.links.filter { scope.contains($0.note.head) }
            page.next = more.next
        }
        page.links = Array(page.links.prefix(ToolLimits.links))
        page.next = nil
        return page
    }

    /// The meanings of links in a note; nil for a link that means no note of the scope.
    private func outgoing(_ links: ArraySlice<Link>, of note: NoteObject) async throws -> [(link: Link, head: Head?)] {
        guard !links.isEmpty else { return [] }
        let params = ResolveLinks(targets: links.map(LinkTarget.init), from: note.head.id)
        let found = try await client.resolveLinks(params).found
        return zip(links, found).map { link, meaning in
            (link, meaning.notes.first.flatMap { scope.contains($0.head) ? $0.head : nil })
        }
    }

    private static func snippet(_ link: IncomingLinksResult.Link) -> String {
        String(decoding: ToolText.beginning(of: link.snippet, bytesMax: ToolLimits.snippetBytes), as: UTF8.self)
    }
}
