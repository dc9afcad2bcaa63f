/// Checks of whole lines, which are part of G2: a line that a saved text has and its base does not have
/// is a whole line of every later text until a client that was shown it removes it.
extension Checker {
    /// Checks the notes that got no `note.edit`: an edit may change a part of a line.
    ///
    /// Then each token is in one line from the beginning, and that line must be there whole wherever the
    /// token must be there.
    mutating func checkLines() {
        let edited = Set(history.calls.filter { $0.method == "note.edit" }.compactMap { $0.params["id"]?.word })
        var checked = 0
        for (note, versions) in history.texts.sorted(by: { $0.key < $1.key }) where !edited.contains(note) {
            guard var graph = graphs[note] else { continue }
            let lines = Self.lines(of: graph)
            for (version, shown) in versions.sorted(by: { $0.value.at < $1.value.at }) where !shown.isSent {
                let whole = Set(shown.text.split(separator: UInt8(ascii: "\n")))
                for token in (graph.tokens(at: version)?.required ?? []).sorted() {
                    guard let (line, revision) = lines[token] else { continue }
                    checked += 1
                    guard !whole.contains(line) else { continue }
                    broken(
                        .nothingLost, "\(note) at \(version): the line of \(token) is torn or glued to another",
                        [revision.sentAt, revision.answeredAt, shown.at])
                }
            }
            graphs[note] = graph
        }
        count(.nothingLost, checked, "whole lines")
    }

    /// The line in which each token was inserted, without its LF, and the revision that did it.
    private static func lines(of graph: NoteGraph) -> [String: (line: ArraySlice<UInt8>, revision: NoteGraph.Revision)] {
        var lines: [String: (line: ArraySlice<UInt8>, revision: NoteGraph.Revision)] = [:]
        for revision in graph.revisions {
            for line in (revision.text ?? []).split(separator: UInt8(ascii: "\n")) {
                for token in Token.counts(in: Array(line)).keys where revision.inserted.contains(token) && lines[token] == nil {
                    lines[token] = (line, revision)
                }
            }
        }
        return lines
    }
}
