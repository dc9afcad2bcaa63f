import NIOCore
import NotesMethods
import NotesModel
import Testing

@testable import NotesEngine
@testable import NotesServer

@Suite struct HeldFloodsTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func request(_ dependent: UInt64, _ number: UInt64) -> Input {
        .request(Request(dependent: DependentID(dependent), requestNumber: number, body: .call(.status)))
    }

    private func name(_ input: Input) -> String {
        switch input {
        case .request(let request): "\(request.dependent.number).\(request.requestNumber)"
        case .released(let dependent): "end \(dependent.number)"
        case .drained(let dependent): "drained \(dependent.number)"
        default: "other"
        }
    }

    /// Connection 1 floods, and then no more. What follows on it waits too, and nothing of connection 2.
    @Test func hold_keepsTheOrderOfAConnection() {
        var floods = HeldFloods()
        var first = [request(1, 1), request(2, 1), .drained(DependentID(1)), request(1, 2)]
        floods.hold(from: &first, now: start) { $0 == DependentID(1) }
        #expect(first.map(name) == ["2.1", "drained 1"])
        var second = [request(1, 3), .released(DependentID(2)), .released(DependentID(1))]
        floods.hold(from: &second, now: start) { _ in false }
        #expect(second.map(name) == ["end 2"])
        #expect(floods.takeAll().map(name) == ["1.1", "1.2", "1.3", "end 1"])
        #expect(floods.isEmpty)
    }

    @Test func waitEnds_50MillisecondsAfterTheFirstRequest() {
        var floods = HeldFloods()
        #expect(!floods.isOver(now: start + .seconds(9)), "nothing waits")
        var first = [request(1, 1)]
        floods.hold(from: &first, now: start) { _ in true }
        var second = [request(1, 2)]
        floods.hold(from: &second, now: start + .milliseconds(40)) { _ in true }
        #expect(!floods.isOver(now: start + .milliseconds(49)))
        #expect(floods.isOver(now: start + .milliseconds(50)))
        _ = floods.takeAll()
        #expect(!floods.isOver(now: start + .milliseconds(50)))
    }
}
