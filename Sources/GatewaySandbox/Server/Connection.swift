/// One accepted connection, plain or under TLS. Belongs to the thread that serves it.
package final class Connection {
    package let descriptor: Int32
    private let tls: TLSSession?

    /// `nil` when TLS has no memory.
    package init?(_ descriptor: Int32, _ context: TLSContext?) {
        self.descriptor = descriptor
        if let context {
            guard let session = TLSSession(context) else { return nil }
            tls = session
        } else {
            tls = nil
        }
    }

    /// Does the TLS handshake, if there is one to do. False when it fails; the peer has been told why.
    package func open() -> Bool {
        guard let tls else { return true }
        while true {
            let progress = tls.handshake()
            guard flush(tls) else { return false }
            switch progress {
            case .done: return true
            case .ended: return false
            case .needsInput: guard case .bytes = fill(tls) else { return false }
            }
        }
    }

    /// Sends everything; false when the peer is gone, does not read for too long, or the server stops.
    package func sendAll(_ bytes: [UInt8]) -> Bool {
        guard let tls else { return Socket.sendAll(descriptor, bytes) }
        return tls.write(bytes) && flush(tls)
    }

    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Socket.Arrival {
        guard let tls else { return Socket.receive(descriptor, into: buffer) }
        while true {
            let (progress, count) = tls.read(into: buffer)
            _ = flush(tls)
            switch progress {
            case .done: return .bytes(count)
            case .ended: return .ended
            case .needsInput:
                let arrival = fill(tls)
                guard case .bytes = arrival else { return arrival }
            }
        }
    }

    /// Ends the connection so that what was sent arrives.
    package func closeGently() {
        if let tls {
            tls.writeEnd()
            _ = flush(tls)
        }
        Socket.closeGently(descriptor)
    }

    private func flush(_ tls: TLSSession) -> Bool {
        let output = tls.takeOutput()
        return output.isEmpty || Socket.sendAll(descriptor, output)
    }

    private func fill(_ tls: TLSSession) -> Socket.Arrival {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            let arrival = Socket.receive(descriptor, into: buffer)
            if case .bytes(let count) = arrival {
                tls.give(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return arrival
        }
    }
}
