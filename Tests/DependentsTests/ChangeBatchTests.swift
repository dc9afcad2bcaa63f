import Dependents
import NotesModel
import Testing

@Suite struct ChangeBatchTests {
    /// The lines for an up-to-date watch after a commit of that many notes, the first with that
    /// many bytes.
    private func step(bytes: Int, notes: Int = 1, include: WatchDetail = .text) throws -> Step {
        var session = Session(limits: DependentLimits(changeBatchNotesMax: 2, changeBatchBytesMax: 10))
        session.register(1)
        _ = try session.watch(1, include: include)
        _ = session.lines(1)
        var changes = [session.world.commit(0, bytes: bytes)]
        for note in 1..<notes { changes.append(session.world.commit(note)) }
        _ = session.dependents.committed(changes)
        return session.nextStep(for: DependentID(1))
    }

    @Test func textsOverLimit_areSentLineByLine() throws {
        guard case .changeBatch = try step(bytes: 10), case .line(.changed) = try step(bytes: 11) else {
            Issue.record("what is within the limit is told at once, and nothing more is")
            return
        }
    }

    /// Without texts their size does not matter.
    @Test func batchWithoutTexts_ignoresTextSize() throws {
        guard case .changeBatch = try step(bytes: 11, include: .meta) else {
            Issue.record("nothing that is shown is over the limit")
            return
        }
    }

    @Test func notesOverLimit_areSentLineByLine() throws {
        for include in [WatchDetail.meta, .text] {
            guard case .changeBatch = try step(bytes: 1, notes: 2, include: include),
                case .line(.changed) = try step(bytes: 1, notes: 3, include: include)
            else {
                Issue.record("as many notes as the limit are told at once, and no more are")
                return
            }
        }
    }

    @Test func batchesOfDifferentNotes_staySeparate() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.lines(1)
        for note in 0..<2 { session.commit(note) }
        guard case .changeBatch = session.nextStep(for: DependentID(1)), case .changeBatch = session.nextStep(for: DependentID(1))
        else {
            Issue.record("what waits is about another note")
            return
        }
    }

    /// Batches are shared, and compared by identity.
    @Test func changeBatch_isComparedByIdentity() throws {
        let (one, other) = (try step(bytes: 1), try step(bytes: 1))
        #expect(one == one && one != other)
        #expect(Set([one, other, one]).count == 2)
    }
}
