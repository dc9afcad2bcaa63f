import Console
import NoteTasks
import NotesModel

/// A graph of notes and their links in the language DOT of Graphviz.
struct LinkGraph {
    /// The nodes.
    let notes: [Head]
    /// For each note the notes that link to it.
    let linking: [NoteID: Set<NoteID>]

    /// The graph without the notes that have no edge.
    var linked: LinkGraph {
        let ids = Set(notes.map(\.id))
        var found: Set<NoteID> = []
        for note in notes {
            let others = (linking[note.id] ?? []).intersection(ids)
            if !others.isEmpty { found.formUnion(others.union([note.id])) }
        }
        return LinkGraph(notes: notes.filter { found.contains($0.id) }, linking: linking)
    }

    /// The text of the graph: nodes are ids with names as labels; edges go from the linking note to the
    /// note that its links mean, once for each pair. Edges from notes that are no nodes are left out.
    var lines: [String] {
        var lines = ["digraph notes {"]
        for note in notes { lines.append("  \"\(note.id)\" [label=\"\(Self.escaped(NoteLabel.of(note)))\"];") }
        let places = Dictionary(notes.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        for note in notes {
            for place in (linking[note.id] ?? []).compactMap({ places[$0] }).sorted() {
                lines.append("  \"\(notes[place].id)\" -> \"\(note.id)\";")
            }
        }
        return lines + ["}"]
    }

    /// The label without characters that end a string, start an escape, or control a terminal.
    private static func escaped(_ label: String) -> String {
        SafeText.line(label).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
