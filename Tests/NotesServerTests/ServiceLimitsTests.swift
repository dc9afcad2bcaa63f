import Dependents
import NotesEngine
import NotesServer
import Testing

@Suite struct ServiceLimitsTests {
    /// With more watches, each change would reset all of them.
    @Test func watchesMax_isLimitedByOutbox() {
        var limits = ServiceLimits()
        #expect(limits.engine.dependents.watchesMax == limits.watchesMax)
        limits.outboxBytesMax = 65_536
        limits.watchesMax = 65_536
        let dependents = limits.engine.dependents
        #expect(dependents.watchesMax == 51)
        #expect(dependents.outboxBytesMax / dependents.watchesMax >= DependentLimits.shareBytesMin)
        #expect(dependents.outboxBytesMax / (dependents.watchesMax + 1) < DependentLimits.shareBytesMin)
        limits.watchesMax = 4
        #expect(limits.engine.dependents.watchesMax == 4)
        limits.outboxBytesMax = 1
        #expect(limits.engine.dependents.watchesMax == 1)
    }
}
