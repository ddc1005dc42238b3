/// A large value in memory of its own: whoever waits with this one in hand waits with a pointer, and ten thousand that
/// wait are small.
indirect enum Beside<Value: Sendable>: Sendable {
    case value(Value)

    var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Beside: Equatable where Value: Equatable {}
extension Beside: Hashable where Value: Hashable {}
