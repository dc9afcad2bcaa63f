/// When the search index is made anew: at once; after a pause where it has been not long ago; and where it could not be, at each tick
/// until it can.
struct IndexRebuild {
    /// From when it is found to be of no use until it was made anew.
    private(set) var isNeeded = false
    /// Whether the index was asked to be made anew, or where it stands, and has not said so yet.
    var isUnderWay = false
    /// Of the newest tick, in its seconds.
    var now: UInt64 = 0
    /// In seconds.
    private(set) var pause: UInt64 = 0
    private var neededSince: UInt64 = 0
    private var madeAt: UInt64?
    private var hasFailed = false

    /// Damage so many seconds after the index was made anew is taken to come back by itself, as from a bad disk.
    static let calmSeconds: UInt64 = 600
    static let pauseMin: UInt64 = 30
    static let pauseMax: UInt64 = 3_600

    /// Whether it can be begun now.
    var isDue: Bool { isNeeded && !isUnderWay && now &- neededSince >= pause }

    /// The index is damaged. The pause doubles each time that this comes soon after it was made anew.
    mutating func damaged() {
        isNeeded = true
        neededSince = now
        let isSoon = madeAt.map { now &- $0 < Self.calmSeconds } ?? false
        pause = isSoon ? min(max(2 * pause, Self.pauseMin), Self.pauseMax) : 0
    }

    /// It could not be made anew, and is tried again. Returns whether that is news.
    @discardableResult
    mutating func failed() -> Bool {
        defer { hasFailed = true }
        isNeeded = true
        return !hasFailed
    }

    mutating func madeAnew() {
        isNeeded = false
        hasFailed = false
        madeAt = now
    }
}
