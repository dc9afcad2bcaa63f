/// Counts attempts to sign in, so that nobody can try many keys.
struct SignInLimits {
    /// Most attempts in a minute, of all addresses and of one.
    static let (allMax, addressMax) = (10, 5)

    private var attempts: [(address: String, at: Int64)] = []

    /// Takes an attempt.
    ///
    /// - Parameter now: seconds.
    /// - Returns: false if there were too many; then the attempt does not count.
    mutating func take(from address: String, at now: Int64) -> Bool {
        attempts.removeAll { $0.at <= now - 60 }
        guard attempts.count < Self.allMax, attempts.count(where: { $0.address == address }) < Self.addressMax else {
            return false
        }
        attempts.append((address, now))
        return true
    }
}
