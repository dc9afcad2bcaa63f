package import NoteText
package import NotesModel
package import StrictJSON

/// Result of `links.to`: a page of the links that mean a note, newest linking note first.
package struct IncomingLinksResult: WireResult {
    /// The links of the page.
    package var links: [Link]
    /// The position where the next page starts; nil at the end.
    package var next: LinkPosition?

    /// A link that means the note.
    package struct Link: ReceivedObject, Hashable, Sendable {
        /// The linking note without its text, at the version in which the link is.
        package var note: NoteObject
        /// The form of the link.
        package var kind: NoteText.Link.Kind
        /// The range of the target as written, in the session's encoding.
        package var range: Range<Int>
        /// The target without escapes.
        package var target: ByteString
        /// The text after `#`; nil if the link has none.
        package var fragment: ByteString?
        /// The line of the link, or the part of it around the link.
        package var snippet: [UInt8]
        package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

        package init(
            note: NoteObject, kind: NoteText.Link.Kind, range: Range<Int>, target: ByteString, fragment: ByteString?,
            snippet: [UInt8]
        ) {
            self.note = note
            self.kind = kind
            self.range = range
            self.target = target
            self.fragment = fragment
            self.snippet = snippet
        }

        /// Makes a link with a range in the session's encoding.
        package init(_ link: IncomingLink, _ encoding: PositionEncoding) {
            self.init(
                note: NoteObject(link.head, encoding), kind: link.kind, range: link.start[encoding]..<link.end[encoding],
                target: link.target, fragment: link.fragment, snippet: link.snippet)
        }
    }

    package init(links: [Link], next: LinkPosition?) {
        self.links = links
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("links")
            result.array(of: links) { $1.write(to: &$0) }
            result.member("next", next.map(LinkToken.text))
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        links = try value.required("links", Param.array(Link.init(reading:)))
        next = try value.required("next", Param.nullable(Param.linkPosition))
    }
}

extension IncomingLinksResult.Link {
    package func write(to writer: inout JSONWriter) {
        writer.object { link in
            link.name("note")
            note.write(to: &link)
            link.member("version", note.head.version)
            link.name("range")
            link.object {
                $0.member("start", range.lowerBound)
                $0.member("end", range.upperBound)
            }
            link.member("kind", kind.wireName)
            link.member("target", target)
            link.member("fragment", fragment)
            link.member("snippet", text: snippet)
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        note = try value.required("note", NoteObject.init(reading:))
        kind = try value.required("kind", Param.linkKind)
        range = try value.required("range") { (range) throws(ParamFault) in
            let start = try range.required("start", Param.count)
            let end = try range.required("end", Param.count)
            guard start <= end else { throw ParamFault(path: "end", reason: "is less than start") }
            return start..<end
        }
        target = try value.required("target", Param.string)
        fragment = try value.required("fragment", Param.nullable(Param.string))
        snippet = try value.required("snippet", Param.text)
        received = ReceivedJSON(value.source)
    }
}

/// Result of `links.missing`: a page of targets that mean nothing, by their bytes.
package struct MissingLinksResult: WireResult {
    /// The targets of the page.
    package var targets: [MissingTarget]
    /// The position where the next page starts; nil at the end.
    package var next: MissingLinkPosition?

    package init(targets: [MissingTarget], next: MissingLinkPosition?) {
        self.targets = targets
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("targets")
            result.array(of: targets) { writer, target in
                writer.object {
                    $0.member("kind", target.kind.wireName)
                    $0.member("target", target.target)
                    $0.member("links", target.links)
                    $0.name("notes")
                    $0.array(of: target.notes) { $0.string($1) }
                }
            }
            result.member("next", next.map(LinkToken.text))
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        targets = try value.required(
            "targets",
            Param.array { (target) throws(ParamFault) in
                MissingTarget(
                    kind: try target.required("kind", Param.linkKind), target: try target.required("target", Param.string),
                    links: try target.required("links", Param.count),
                    notes: try target.required("notes", Param.array(Param.noteID)))
            })
        next = try value.required("next", Param.nullable(Param.missingLinkPosition))
    }
}

/// Result of `links.resolve`: for each target the notes that it can mean.
package struct ResolvedLinksResult: WireResult {
    /// One entry for each target, in their order.
    package var found: [Found]

    /// The notes that a target can mean.
    package struct Found: Hashable, Sendable {
        /// The meaning, and a few others in order of rule; empty if the target means nothing.
        package var notes: [NoteObject]
        /// The number of other notes.
        package var more: Int

        package init(notes: [NoteObject], more: Int) {
            self.notes = notes
            self.more = more
        }
    }

    package init(found: [Found]) {
        self.found = found
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("found")
            result.array(of: found) { writer, found in
                writer.object { entry in
                    entry.name("notes")
                    entry.array(of: found.notes) { $1.write(to: &$0) }
                    entry.member("more", found.more)
                }
            }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        found = try value.required(
            "found",
            Param.array { (entry) throws(ParamFault) in
                Found(
                    notes: try entry.required("notes", Param.array(NoteObject.init(reading:))),
                    more: try entry.required("more", Param.count))
            })
    }
}
