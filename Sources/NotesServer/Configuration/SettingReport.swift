/// State of one setting, for `daemon.config`.
package struct SettingReport: Hashable, Sendable {
    /// Key: `limits.depth_max`.
    package let key: String
    /// Value in effect, in the syntax of the configuration file; nil if none is set and the daemon
    /// chooses.
    package let value: String?
    /// Source of the value: a file, an environment variable, an option, or "default".
    package let origin: String
    /// Whether a reload applies a new value.
    package let isReloadable: Bool
    /// Value that takes effect at the next start; nil if it is the value in effect.
    package let pending: String?

    package init(key: String, value: String?, origin: String, isReloadable: Bool, pending: String?) {
        self.key = key
        self.value = value
        self.origin = origin
        self.isReloadable = isReloadable
        self.pending = pending
    }
}
