import Dispatch
import NIOCore
import NIOPosix
import NoteText
import Synchronization
import Testing

@testable import NotesServer

/// `UserNameCache` with a user database that may be slow.
@Suite struct UserDirectoryTests {
    /// A lookup function that blocks until the test releases it.
    private final class SlowDatabase: Sendable {
        let asked = Mutex<[UInt32: Int]>([:])
        private let gate = DispatchSemaphore(value: 0)

        func name(_ id: UInt32) -> ByteString {
            asked.withLock { $0[id, default: 0] += 1 }
            if id < 100 {
                gate.wait()
                gate.signal()
            }
            return ByteString("user \(id)")
        }

        func open() { gate.signal() }
    }

    @Test func lookupOfOneUser_isShared_andDelaysNoOther() async throws {
        let database = SlowDatabase()
        let directory = UserNameCache { database.name($0) }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let slow = (0..<200).map { _ in directory.user(7, on: loop) }
        #expect(try await directory.user(100, on: loop).get().name == "user 100")
        #expect(database.asked.withLock { $0[7] ?? 0 } <= 1)
        database.open()
        for user in slow { #expect(try await user.get().name == "user 7") }
        #expect(try await directory.user(7, on: loop).get().name == "user 7")
        #expect(database.asked.withLock { $0[7] } == 1)
        directory.forget()
        #expect(try await directory.user(7, on: loop).get().name == "user 7")
        #expect(database.asked.withLock { $0[7] } == 2)
    }

    @Test func waitersOverLimit_areRefusedUntilNameIsKnown() async throws {
        let database = SlowDatabase()
        let directory = UserNameCache { database.name($0) }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let waiting = (0..<256).map { _ in directory.user(7, on: loop) }
        await #expect(throws: ChannelError.self) { try await directory.user(7, on: loop).get() }
        database.open()
        for user in waiting { _ = try await user.get() }
        #expect(try await directory.user(7, on: loop).get().name == "user 7")
    }
}
