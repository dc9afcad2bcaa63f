import Testing

@testable import NoteTasks

struct GlobalOptionsTests {
    @Test func systemSocket_isUsedWithoutUserSocket() {
        let (own, system) = ("/run/user/1000/notesd/notesd.sock", GlobalOptions.systemSocket)
        func chosen(_ runtime: String?, _ there: String...) -> String? {
            GlobalOptions.defaultSocket(runtime: runtime, state: "/home/a/.local/state") { path, _ in there.contains(path) }
        }
        let runtime = "/run/user/1000"
        #expect(chosen(runtime, own, system) == own && chosen(runtime, own) == own)
        #expect(chosen(runtime, system) == system && chosen(nil, system) == system)
        #expect(chosen(runtime) == own, "the option reported as incomplete is the user's own")
        #expect(chosen(nil) == nil)
        let state = "/home/a/.local/state/notesd/notesd.sock"
        #expect(chosen(nil, state, system) == state && chosen(nil, state) == state)
        #expect(chosen(runtime, state) == own && chosen(runtime, state, system) == system)
        let shared = GlobalOptions.defaultSocket(runtime: nil, state: "/home/a/.local/state") { _, isPrivate in !isPrivate }
        #expect(shared == system, "a state directory that others can write is not searched")
    }
}
