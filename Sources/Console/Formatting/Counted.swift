/// A count with its noun, such as `1 note` or `2 notes`.
///
/// - Parameters:
///   - noun: the noun in the singular.
///   - plural: its plural; nil if that is the noun with an s.
package func counted(_ number: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}
