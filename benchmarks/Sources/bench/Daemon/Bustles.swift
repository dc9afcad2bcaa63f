import Foundation

/// The loads of other clients in `Fairness`.
extension Bustle {
    /// Number of small requests in flight at any time: half of what one connection may have.
    private static let inFlight = 128
    /// Number of long notes edited at a time; all of them fit the daemon's note cache.
    private static let longInFlight = 8
    private static let longBytes = 4 << 20
    private static let page = 100

    /// Reads the responses to one half while the daemon handles the other.
    static func flood(_ daemon: DaemonProcess.Address) throws(Failure) -> Bustle {
        try Bustle("a flood of saves") { () throws(Failure) in
            let writer = try BatchWriter(try daemon.client(), sets: 2, notes: inFlight / 2)
            try writer.send(turn: 0)
            var turn = 0
            return { () throws(Failure) in
                turn += 1
                try writer.send(turn: turn)
                while writer.waiting > inFlight / 2 { try writer.receive() }
            }
        }
    }

    /// Sends a get behind each save of the same note. Each get waits for its save, so the requests
    /// cannot share one commit.
    static func mixedFlood(_ daemon: DaemonProcess.Address) throws(Failure) -> Bustle {
        try Bustle("a flood of saves and gets in turns") { () throws(Failure) in
            let client = try daemon.client()
            var notes: [(id: String, version: String)] = []
            for _ in 0..<inFlight / 2 {
                let made = try client.call(.createNote(json: SampleText.kilobyte.json(0)))
                notes.append((try made.required(Keys.id), try made.required(Keys.version)))
            }
            var number = 0
            func send(_ index: Int) throws(Failure) {
                number += 1
                let (id, version) = notes[index]
                try client.send([.saveNote(id, base: version, json: SampleText.kilobyte.json(number)), .getNote(id)])
            }
            for index in notes.indices { try send(index) }
            return { () throws(Failure) in
                for index in notes.indices {
                    notes[index].version = try client.nextAnswer().required(Keys.version)
                    _ = try client.nextAnswer()
                    try send(index)
                }
            }
        }
    }

    static func longSaves(_ daemon: DaemonProcess.Address) throws(Failure) -> Bustle {
        try Bustle("saves of 4 MB") { () throws(Failure) in
            let client = try daemon.client()
            let text = String(decoding: Typist.paragraph(longBytes - 16), as: UTF8.self)
            let texts = ["one\n", "two\n"].map { Request.json($0 + text) }
            let made = try client.call(.createNote(json: texts[0]))
            let note = try made.required(Keys.id)
            var version = try made.required(Keys.version)
            var number = 0
            return { () throws(Failure) in
                number += 1
                version = try client.call(.saveNote(note, base: version, json: texts[number % 2])).required(Keys.version)
            }
        }
    }

    static func longEdits(_ daemon: DaemonProcess.Address) throws(Failure) -> Bustle {
        try Bustle("edits of \(longInFlight) notes of 4 MB at a time") { () throws(Failure) in
            let client = try daemon.client()
            var notes: [(id: String, version: String)] = []
            for _ in 0..<longInFlight {
                let text = String(decoding: Typist.paragraph(longBytes - 16), as: UTF8.self)
                let made = try client.call(.createNote(json: Request.json(text)))
                notes.append((try made.required(Keys.id), try made.required(Keys.version)))
            }
            var number = 0
            return { () throws(Failure) in
                number += 1
                let inserted = number % 2 == 1
                try client.send(
                    notes.map { note in
                        .editNote(
                            note.id, base: note.version,
                            edits: inserted ? #"{"start":9,"end":9,"text":"x"}"# : #"{"start":9,"end":10,"text":""}"#)
                    })
                for index in notes.indices { notes[index].version = try client.nextAnswer().required(Keys.version) }
            }
        }
    }

    /// Watches one snapshot after another. A step is one line.
    static func snapshots(_ daemon: DaemonProcess.Address, of count: Int) throws(Failure) -> Bustle {
        try Bustle("snapshots of \(count.formatted()) notes") { () throws(Failure) in
            var client = try daemon.client()
            try client.send(.watchAll)
            return { () throws(Failure) in
                guard try client.next().isSynced else { return }
                client = try daemon.client()
                try client.send(.watchAll)
            }
        }
    }

    /// Lists all notes over and over. A step is a page and the notes on it.
    static func export(_ daemon: DaemonProcess.Address, of count: Int) throws(Failure) -> Bustle {
        try Bustle("an export of \(count.formatted()) notes") { () throws(Failure) in
            let client = try daemon.client()
            var next: String?
            return { () throws(Failure) in
                let answer = try client.call(.listNotes(limit: page, after: next))
                next = answer.string(Keys.next)
                let ids = answer.strings(Keys.id)
                try client.send(ids.map { .getNote($0) })
                for _ in ids { _ = try client.nextAnswer() }
            }
        }
    }
}
