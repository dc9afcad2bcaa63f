import NIOCore
import Testing

@testable import NotesPage

/// What one browser may send.
struct PageLimitsTests {
    @Test func attempts_areCountedByAddress_andInAll() {
        var limits = SignInLimits()
        for address in ["a", "b"] {
            let taken = (0..<6).map { limits.take(from: address, at: Int64($0) / 6) }
            #expect(taken == [true, true, true, true, true, false])
        }
        let late = [("c", 59), ("c", 60), ("a", 60)].map { limits.take(from: $0.0, at: $0.1) }
        #expect(late == [false, true, true])
    }

    @Test func fastSender_isReadAtItsRate() {
        var budget = SocketBudget()
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        for _ in 0..<400 { budget.take(10, at: start) }
        let wait1 = budget.wait(at: start)
        #expect(wait1 == .zero)
        for _ in 0..<200 { budget.take(10, at: start) }
        let wait2 = budget.wait(at: start)
        #expect(wait2 == .seconds(1))
        let wait3 = budget.wait(at: start + .milliseconds(500))
        #expect(wait3 == .milliseconds(500))
        let wait4 = budget.wait(at: start + .seconds(1))
        #expect(wait4 == .zero)
    }

    @Test func largeMessage_costsTime() {
        var budget = SocketBudget()
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        budget.take(8 << 20, at: start)
        let wait5 = budget.wait(at: start)
        #expect(wait5 == .zero)
        budget.take(4 << 20, at: start)
        let wait6 = budget.wait(at: start)
        #expect(wait6 == .seconds(2))
    }
}
