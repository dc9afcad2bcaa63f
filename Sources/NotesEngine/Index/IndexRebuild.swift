/// When the search index is rebuilt: at once; after a pause if it was rebuilt recently; and if the
/// rebuild fails, at each tick until it succeeds.
struct IndexRebuild {
    /// Set while the index is unusable, until it is rebuilt.
    private(set) var isNeeded = false
    /// Whether the index was asked to rebuild, or for its position, and has not replied.
    var isUnderWay = false
    /// The time of the newest tick, in seconds.
    var now: UInt64 = 0
    /// The delay before the next rebuild, in seconds.
    private(set) var pause: UInt64 = 0
    private var neededSince: UInt64 = 0
    private var madeAt: UInt64?
    private var hasFailed = false

    /// If the index is damaged within this time after a rebuild, the cause is assumed to persist,
    /// such as a bad disk. In seconds.
    static let calmSeconds: UInt64 = 600
    static let pauseMin: UInt64 = 30
    static let pauseMax: UInt64 = 3_600

    /// Whether a rebuild can start now.
    var isDue: Bool { isNeeded && !isUnderWay && now &- neededSince >= pause }

    /// Records that the index is damaged. The pause doubles each time that happens soon after a
    /// rebuild.
    mutating func damaged() {
        isNeeded = true
        neededSince = now
        let isSoon = madeAt.map { now &- $0 < Self.calmSeconds } ?? false
        pause = isSoon ? min(max(2 * pause, Self.pauseMin), Self.pauseMax) : 0
    }

    /// Records that the index is to be deleted because of a purge.
    mutating func purged() {
        isNeeded = true
        neededSince = now
        pause = 0
    }

    /// Records that a rebuild failed and will be tried again. Returns whether it is the first
    /// failure.
    @discardableResult
    mutating func failed() -> Bool {
        defer { hasFailed = true }
        isNeeded = true
        return !hasFailed
    }

    /// Records that the index was rebuilt.
    mutating func rebuilt() {
        isNeeded = false
        hasFailed = false
        madeAt = now
    }
}
