/// A connection that saves many notes at a time. Sets of them take turns, so that no note changes while a line about it waits.
final class BatchWriter: BatchSender {
    private struct Note {
        let id: String
        var version: String
    }

    private let client: Client
    private var sets: [[Note]] = []
    private var number = 0
    /// What the answers that are waited for will be about, in order.
    private var expected: [(set: Int, note: Int)] = []
    private var taken = 0

    var descriptor: Descriptor { client.descriptor }
    var waiting: Int { expected.count - taken }
    let batch: Int

    /// - Parameters:
    ///   - sets: how many; as many batches may be on their way.
    ///   - notes: in each set.
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

    /// A save of each note of a set. The last of the same set has to be answered.
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
