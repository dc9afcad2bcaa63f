/// A connection that saves many notes at a time. Sets of notes alternate, so that no note changes
/// while a line about it is pending.
final class BatchWriter: BatchSender {
    private struct Note {
        let id: String
        var version: String
    }

    private let client: Client
    private var sets: [[Note]] = []
    private var number = 0
    /// The notes that the outstanding responses are about, in order.
    private var expected: [(set: Int, note: Int)] = []
    private var taken = 0

    var descriptor: Descriptor { client.descriptor }
    var waiting: Int { expected.count - taken }
    let batch: Int

    /// - Parameters:
    ///   - sets: Number of sets, and with it of batches that may be in flight.
    ///   - notes: Number of notes in each set.
    init(_ client: Client, sets: Int, notes: Int) throws(Failure) {
        self.client = client
        batch = notes
        for _ in 0..<sets {
            var set: [Note] = []
            for _ in 0..<notes {
                let made = try client.call(.createNote(json: SampleText.kilobyte.json(0)))
                set.append(Note(id: try made.required(Keys.id), version: try made.required(Keys.version)))
            }
            self.sets.append(set)
        }
    }

    /// Saves each note of a set. The last batch of the same set must have been acknowledged.
    func send(turn: Int) throws(Failure) {
        number += 1
        let set = turn % sets.count
        let text = SampleText.kilobyte.json(number)
        try client.send(sets[set].map { .saveNote($0.id, base: $0.version, json: text) })
        expected += sets[set].indices.map { (set, $0) }
    }

    func receive() throws(Failure) {
        while waiting > 0, let answer = try client.nextIfThere() {
            let place = expected[taken]
            taken += 1
            sets[place.set][place.note].version = try answer.result().required(Keys.version)
        }
        if waiting == 0 {
            expected = []
            taken = 0
        }
    }
}
