/// The first stated edit that cannot be applied, with the reason.
package struct InvalidEdit: Error, Hashable {
    /// The reason why an edit cannot be applied.
    package enum Fault: Hashable, Sendable {
        /// Its start is greater than its end.
        case startAfterEnd
        /// Its start is negative.
        case negative
        /// It starts before the end of the previous edit.
        case overlapsPrevious
        /// It extends past the end of the text, whose length is given in the client's units.
        case pastEnd(length: Int)
        /// The offset, in the client's units, lies inside a character.
        case insideCharacter(offset: Int)
    }

    /// The index of the edit in the request, from 0.
    package let index: Int
    /// The reason.
    package let fault: Fault

    package init(index: Int, fault: Fault) {
        self.index = index
        self.fault = fault
    }
}

extension InvalidEdit.Fault: Error {}
