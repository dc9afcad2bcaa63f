extension History {
    /// A small subset of the events that still shows a fault (delta debugging).
    ///
    /// Events are removed in units: a request with its response, a notification, or the end of a
    /// connection. The result is a valid history and can be checked again. The search first tries
    /// the events that the fault names, which are usually enough.
    ///
    /// - Complexity: at most `checksMax` checks of histories that become smaller.
    package func shrunk(to fault: Fault, checksMax: Int = 60) -> History {
        let wide = units(about: fault)
        let named = Set(fault.events)
        let narrow = wide.filter { $0.contains { named.contains($0) || isGreeting($0) } }
        // If neither set shows the fault, return at least the events that it names.
        guard var kept = [narrow, wide].first(where: { shows(fault, $0) }) else { return picked(named) }
        var checks = 0
        var size = max(1, kept.count / 2)
        while size >= 1, checks < checksMax {
            var start = 0
            var isSmaller = false
            while start < kept.count, checks < checksMax {
                var rest = kept
                rest.removeSubrange(start..<min(kept.count, start + size))
                checks += 1
                if shows(fault, rest) {
                    kept = rest
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { break }
            size = max(1, size / 2)
        }
        return picked(Set(kept.flatMap(\.self)))
    }

    /// The units that may be related to the fault.
    private func units(about fault: Fault) -> [[Int]] {
        let named = Set(fault.events)
        let notes = Set(
            fault.words.split(separator: " ").filter { $0.count == 36 && $0.split(separator: "-").count == 5 }.map {
                Array($0.utf8)
            })
        var units: [[Int]] = []
        var waiting: [Int: [Int]] = [:]
        for (index, event) in events.enumerated() {
            switch event.what {
            case .sent:
                waiting[event.connection, default: []].append(units.count)
                units.append([index])
            case .received(let line):
                if !line.starts(with: Array("{\"jsonrpc\":\"2.0\",\"method\"".utf8)), let unit = waiting[event.connection]?.first
                {
                    waiting[event.connection]?.removeFirst()
                    units[unit].append(index)
                } else {
                    units.append([index])
                }
            case .closed:
                waiting[event.connection] = []
                units.append([index])
            case .opened, .stopped, .resumed, .gaveUp: units.append([index])
            }
        }
        return units.filter { unit in
            unit.contains { index in
                if named.contains(index) { return true }
                switch events[index].what {
                case .sent(let line), .received(let line):
                    let text = String(decoding: line, as: UTF8.self)
                    return text.contains("session.hello") || text.contains("notes.watch")
                        || notes.contains { text.contains(String(decoding: $0, as: UTF8.self)) }
                case .opened, .closed, .stopped, .resumed, .gaveUp: return true
                }
            }
        }
    }

    /// Whether an event belongs to the start of a connection, which its other events need.
    private func isGreeting(_ index: Int) -> Bool {
        switch events[index].what {
        case .sent(let line): String(decoding: line.prefix(100), as: UTF8.self).contains("session.hello")
        case .opened: true
        case .received, .stopped, .resumed, .closed, .gaveUp: false
        }
    }

    private func picked(_ indices: Set<Int>) -> History {
        var history = History()
        for index in indices.sorted() where events.indices.contains(index) {
            history.add(events[index].what, events[index].connection)
        }
        return history
    }

    private func shows(_ fault: Fault, _ units: [[Int]]) -> Bool {
        let history = picked(Set(units.flatMap(\.self)))
        return Checker.verdicts(of: history).contains { verdict in
            verdict.guarantee == fault.guarantee && verdict.faults.contains { $0.words == fault.words }
        }
    }
}
