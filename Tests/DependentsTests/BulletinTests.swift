import Dependents
import NotesModel
import Testing

@Suite struct BulletinTests {
    /// What a watch of texts, which had been told all, is told of a commit of so many bytes.
    private func step(bytes: Int) throws -> Step {
        var session = Session(limits: Limits(bulletinBytesMax: 10))
        session.register(1)
        _ = try session.watch(1, include: .text)
        _ = session.lines(1)
        _ = session.dependents.committed([session.world.commit(0, bytes: bytes)])
        return session.nextStep(for: DependentID(1))
    }

    @Test func textsOverTheLimit_areToldLineByLine() throws {
        guard case .bulletin = try step(bytes: 10), case .line(.changed) = try step(bytes: 11) else {
            Issue.record("what is within the limit is told at once, and nothing more is")
            return
        }
    }

    /// It is shared, and compared with no look at what it says.
    @Test func aBulletin_isThatOneAndNoOther() throws {
        let (one, other) = (try step(bytes: 1), try step(bytes: 1))
        #expect(one == one && one != other)
        #expect(Set([one, other, one]).count == 2)
    }
}
