/// What the shopper must do before the provider goes on.
public enum NextAction: Sendable, Equatable {
    /// Open an address in the shopper's browser, with this method and these form fields.
    ///
    /// The address is text as it came: it is for the shopper's browser, never for a call of the backend's.
    case redirect(method: HTTPMethod, url: String, fields: [FormField])
    /// Show this page to the shopper.
    case html(String)

    /// A field of a form that the shopper's browser sends.
    public struct FormField: Sendable, Equatable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
