package import NotesModel
package import StrictJSON

/// Result of `note.search`, best hit first.
package struct SearchResult: WireResult {
    /// The hits of the page.
    package var hits: [Hit]
    /// The position where the next page starts; nil at the end.
    package var next: SearchPosition?
    /// Whether more notes matched than the daemon ranks. It ranks the newest ones.
    package var isTruncated: Bool

    /// A note that matches the query.
    package struct Hit: ReceivedObject, Hashable, Sendable {
        /// The note without its text.
        package var note: NoteObject
        /// A piece of the text around the first match.
        package var snippet: [UInt8]
        /// The matches in the snippet, in the session's encoding.
        package var ranges: [Range<Int>]
        package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

        package init(note: NoteObject, snippet: [UInt8], ranges: [Range<Int>]) {
            self.note = note
            self.snippet = snippet
            self.ranges = ranges
        }

        /// Makes a hit with ranges in the session's encoding.
        package init(_ hit: SearchHit, _ encoding: PositionEncoding) {
            let bounds = hit.excerpt.ranges.flatMap { [$0.lowerBound, $0.upperBound] }
            let places = Positions.places(ofBytes: bounds, in: hit.excerpt.text).map { $0[encoding] }
            self.init(
                note: NoteObject(hit.head, encoding), snippet: hit.excerpt.text,
                ranges: stride(from: 0, to: places.count, by: 2).map { places[$0]..<places[$0 + 1] })
        }
    }

    package init(hits: [Hit], next: SearchPosition?, isTruncated: Bool) {
        self.hits = hits
        self.next = next
        self.isTruncated = isTruncated
    }

    /// Writes the hit as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("hits")
            result.array(of: hits) { $1.write(to: &$0) }
            result.member("next", next.map(SearchToken.text))
            result.member("truncated", isTruncated)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        hits = try value.required("hits", Param.array(Hit.init(reading:)))
        next = try value.required("next", Param.nullable(Param.searchPosition))
        isTruncated = try value.required("truncated", Param.bool)
    }
}

extension SearchResult.Hit {
    package func write(to writer: inout JSONWriter) {
        writer.object { hit in
            hit.name("note")
            note.write(to: &hit)
            hit.member("snippet", text: snippet)
            hit.name("ranges")
            hit.array(of: ranges) { writer, range in
                writer.object {
                    $0.member("start", range.lowerBound)
                    $0.member("end", range.upperBound)
                }
            }
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        note = try value.required("note", NoteObject.init(reading:))
        snippet = try value.required("snippet", Param.text)
        ranges = try value.required("ranges", Param.array(Self.range))
        received = ReceivedJSON(value.source)
    }

    private static func range(_ value: JSONValue) throws(ParamFault) -> Range<Int> {
        let start = try value.required("start", Param.count)
        let end = try value.required("end", Param.count)
        guard start <= end else { throw ParamFault(path: "end", reason: "is less than start") }
        return start..<end
    }
}
