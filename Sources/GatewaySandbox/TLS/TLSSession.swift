import COpenSSL

/// The TLS of one server connection, without a socket: bytes of the wire in, bytes of the wire out.
///
/// OpenSSL never sees the descriptor, so that resets and half closes stay in the hands of the server, and so that no
/// write of OpenSSL's can raise SIGPIPE. To be used by one thread at a time.
package final class TLSSession {
    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    /// What became of an attempt to go on.
    package enum Progress: Sendable {
        case done
        /// More bytes from the peer are needed.
        case needsInput
        /// The peer ended the session, or broke it.
        case ended
    }

    /// `nil` when there is no memory.
    package init?(_ context: TLSContext) {
        guard let session = SSL_new(context.context) else { return nil }
        guard let incoming = BIO_new(BIO_s_mem()) else {
            SSL_free(session)
            return nil
        }
        guard let outgoing = BIO_new(BIO_s_mem()) else {
            BIO_free(incoming)
            SSL_free(session)
            return nil
        }
        self.session = session
        self.incoming = incoming
        self.outgoing = outgoing
        SSL_set_bio(session, incoming, outgoing)
        SSL_set_accept_state(session)
    }

    deinit { SSL_free(session) }

    /// What has to go to the peer now.
    package func takeOutput() -> [UInt8] { Self.drain(outgoing) }

    /// Takes bytes that came from the peer.
    package func give(_ bytes: UnsafeRawBufferPointer) {
        _ = BIO_write(incoming, bytes.baseAddress, Int32(clamping: bytes.count))
    }

    /// Goes on with the handshake.
    package func handshake() -> Progress { progress(SSL_do_handshake(session)) }

    /// Reads what has been deciphered into `buffer`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> (Progress, count: Int) {
        let count = SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
        return count > 0 ? (.done, Int(count)) : (progress(count), 0)
    }

    /// Enciphers `bytes` into the output; `false` when the session is broken.
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32(clamping: $0.count)) }
            guard progress(count) == .done, count > 0 else { return false }
            rest = rest.dropFirst(Int(count))
        }
        return true
    }

    /// Tells the peer that nothing more comes: without it a body that ends with the connection is a truncated one.
    package func writeEnd() {
        _ = SSL_shutdown(session)
        ERR_clear_error()
    }

    private func progress(_ outcome: Int32) -> Progress {
        if outcome > 0 { return .done }
        // The thread's queue of errors is common to all sessions; what is left there would confuse the next one.
        defer { ERR_clear_error() }
        return SSL_get_error(session, outcome) == SSL_ERROR_WANT_READ ? .needsInput : .ended
    }

    static func drain(_ memory: OpaquePointer) -> [UInt8] {
        let waiting = Int(BIO_ctrl_pending(memory))
        guard waiting > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
            count = max(0, Int(BIO_read(memory, buffer.baseAddress, Int32(clamping: waiting))))
        }
    }
}
