extension Int64 {
    /// The difference to another number, or the number nearest to it that the type holds. For times of
    /// files and of records, which may be any number.
    package func minus(clamping other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        guard overflows else { return difference }
        return self < other ? .min : .max
    }
}
