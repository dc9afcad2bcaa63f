/// Checks of the origins of changes, which G5 promises (W19 of the protocol).
extension Checker {
    /// Checks that the origin of each line is a connection that may have made the newest commit of the
    /// line's version, with that connection's label. A line without an origin is not checked: the daemon
    /// may have forgotten it.
    ///
    /// The newest commit of a version is one of its maximal revisions.
    mutating func checkOrigins() {
        var named: [Dependent: Int] = [:]
        for (number, connection) in history.connections {
            if let run = connection.run, let dependent = connection.dependent {
                named[Dependent(run: run, number: dependent)] = number
            }
        }
        var checked = 0
        for watch in history.watches {
            guard let run = run(watch.connection) else { continue }
            for line in watch.lines {
                guard case .changed(let note, let version, _) = line.what, let origin = line.origin,
                    let makers = makers(of: version, of: note)
                else { continue }
                checked += 1
                let connection = named[Dependent(run: run, number: origin.dependent)]
                let events: [Int?] = makers.flatMap { [$0.sentAt, $0.answeredAt] } + [line.at]
                if !makers.contains(where: { connection.map($0.senders.contains) ?? false }) {
                    broken(
                        .reliable,
                        "a watch names dependent \(origin.dependent) as the origin of \(note) at \(version), which sent none of it",
                        events)
                } else if origin.label != connection.flatMap({ history.connections[$0]?.label }) {
                    broken(.reliable, "a watch names the origin of \(note) at \(version) with another label", events)
                }
            }
        }
        count(.reliable, checked, "origins of changes")
    }

    /// A dependent's number is unique within a run of the daemon.
    private struct Dependent: Hashable {
        let run: String
        let number: Int
    }

    /// The maximal revisions of a version; nil if one of them is unknown.
    private func makers(of version: ParsedHistory.Version, of note: String) -> [NoteGraph.Revision]? {
        guard let graph = graphs[note] else { return nil }
        let dots = ParsedHistory.dots(version)
        let makers = dots.compactMap { graph.indexOf[$0] }.map { graph.revisions[$0] }
        return makers.count == dots.count && !makers.isEmpty ? makers : nil
    }
}
