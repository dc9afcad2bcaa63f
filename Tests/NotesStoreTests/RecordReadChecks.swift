import Causality
import NotesModel
import StoreTestKit
import TestKit
import Testing

@testable import NotesStore

/// Reads a note in steps of random sizes.
private func completed(
    _ begun: RecordRead, in journal: any Journal, _ random: inout SeededGenerator
) throws -> RecordRead.Result {
    var reading = begun
    while true {
        let (rowsMax, before) = (1 + random.below(5), reading.rows)
        try journal.read(&reading, rowsMax: rowsMax)
        // A row counts once more for each revision that it merges or withdraws.
        #expect(reading.rows - before < rowsMax + 64)
        if let result = reading.result { return result }
    }
}

extension NaiveStore {
    /// Searches a note's commits in steps of random sizes, then compares its past states and its counts
    /// with what the contract says.
    func compareDescents(
        _ id: NoteID, _ journal: any Journal, _ random: inout SeededGenerator, _ place: String
    ) throws {
        let target = UInt64(random.below(commits.count + 2))
        var descent = CommitDescent(id, downTo: target)
        while !descent.isComplete {
            let (rowsMax, before) = (1 + random.below(5), descent.rows)
            try journal.descend(&descent, rowsMax: rowsMax)
            #expect(descent.rows - before <= rowsMax, "\(place), \(id) down to \(target)")
        }
        let own = commits.filter { $0.revision.note == id }.map(\.sequence)
        #expect(descent.rows <= own.count { $0 > target }, "\(place), \(id) down to \(target)")
        for _ in 0..<3 {
            let (after, through) = (UInt64(random.below(commits.count + 2)), UInt64(random.below(commits.count + 2)))
            let counted = own.count { $0 > after && $0 <= through }
            #expect(try journal.countCommits(of: id, after: after, through: through) == counted, "\(place), \(id) after \(after)")
            #expect(
                try journal.past(id, asOf: through, withText: true).map(ComparablePast.init)
                    == past(id, asOf: through, withText: true), "\(place), \(id) as it was as of \(through)")
        }
    }

    /// Compares what readings of a note in steps return with what the contract says.
    func compareReadings(
        _ id: NoteID, downTo depth: LoadDepth, of asked: Version, _ journal: any Journal,
        _ random: inout SeededGenerator, _ place: String
    ) throws {
        let own = commits.filter { $0.revision.note == id }
        let newest = own.last { asked.dots.contains($0.revision.dot) } ?? own.last
        let ends: [(RecordRead.End, UInt64?)] = [
            (.newest, nil), (.commit(newest?.sequence ?? 1), newest?.sequence ?? 1),
            (.dots(asked), newest.map { max($0.sequence, feet[id] ?? 0) }),
        ]
        for (end, sequence) in ends {
            let reading = RecordRead(id, downTo: depth, end: end)
            guard case .record(let record) = try completed(reading, in: journal, &random) else {
                Issue.record("a reading without a record, \(place)")
                continue
            }
            let expected = note(id, downTo: depth, asOf: sequence)
            #expect(record.map(ComparableRecord.init) == expected, "\(place), \(id) \(depth) up to \(end)")
        }
        let readable = own.filter { $0.sequence >= feet[id] ?? 0 }
        guard !readable.isEmpty else { return }
        let after = random.pick(readable).sequence
        let reading = RecordRead(id, downTo: depth, after: after)
        guard case .newer(let revisions, let sequence) = try completed(reading, in: journal, &random) else {
            Issue.record("a reading without newer revisions, \(place)")
            return
        }
        #expect(revisions == own.filter { $0.sequence > after }.map(\.revision), "\(place), \(id) after \(after)")
        #expect(sequence == own.last?.sequence, "\(place), \(id)")
    }
}
