import CCurl
import CCurlShim
import GatewayKitCore

/// What each result code of libcurl means, by how far the request had got.
///
/// A kind that says that there was no connection would be a lie once bytes have left, so each row has three.
enum FailureTable {
    /// One code.
    struct Row {
        /// The kind while nothing was sent.
        let before: TransportError.Kind
        /// The kind once the request may have been sent and no status line has come.
        let after: TransportError.Kind
        /// The kind once a status line has come.
        let inside: TransportError.Kind
        /// What happened.
        let words: SafeText
    }

    private static let rows: [UInt32: Row] = {
        var rows: [UInt32: Row] = [:]
        func add(
            _ codes: [CURLcode], _ before: TransportError.Kind, _ after: TransportError.Kind,
            _ inside: TransportError.Kind, _ words: SafeText
        ) {
            for code in codes {
                rows[code.rawValue] = Row(before: before, after: after, inside: inside, words: words)
            }
        }
        add(
            [CURLE_COULDNT_RESOLVE_PROXY], .proxy, .connectionLost, .connectionLost,
            "the name of the proxy could not be resolved")
        add(
            [CURLE_COULDNT_RESOLVE_HOST], .nameLookup, .connectionLost, .connectionLost,
            "the host name could not be resolved")
        add(
            [CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED], .connect, .connectionLost, .connectionLost,
            "no connection could be made")
        add(
            [CURLE_OPERATION_TIMEDOUT], .connectTimeout, .timeout, .timeout,
            "no connection came about within the connect time limit")
        add([CURLE_PROXY], .proxy, .connectionLost, .connectionLost, "the proxy failed")
        add(
            [CURLE_SSL_CONNECT_ERROR], .tls, .connectionLost, .connectionLost,
            "the TLS handshake failed (TLS 1.2 is the least that is accepted)")
        add(
            [
                CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
                CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            ],
            .tls, .connectionLost, .connectionLost, "the TLS certificate of the other side is not trusted")
        add(
            [CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE], .tls, .tls, .tls,
            "the file of TLS certificate authorities cannot be read")
        add(
            [
                CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_USE_SSL_FAILED,
                CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CLIENTCERT,
            ],
            .tls, .connectionLost, .connectionLost, "TLS could not be set up")
        add(
            [CURLE_GOT_NOTHING], .connect, .connectionLost, .connectionLost,
            "the connection was closed without an answer")
        add([CURLE_SEND_ERROR], .connect, .connectionLost, .connectionLost, "the connection broke while sending")
        add([CURLE_SEND_FAIL_REWIND], .connect, .connectionLost, .connectionLost, "the connection broke while sending")
        add(
            [CURLE_RECV_ERROR, CURLE_SSL_SHUTDOWN_FAILED], .connect, .connectionLost, .connectionLost,
            "the connection broke")
        add(
            [CURLE_HTTP2, CURLE_HTTP2_STREAM], .connect, .connectionLost, .connectionLost,
            "the HTTP/2 connection failed")
        add([CURLE_PARTIAL_FILE], .connect, .connectionLost, .truncated, "the answer is shorter than announced")
        add(
            [CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY], .invalidRequest, .malformedAnswer, .malformedAnswer,
            "what came is no HTTP answer")
        add(
            [CURLE_BAD_CONTENT_ENCODING], .other, .malformedAnswer, .malformedAnswer,
            "the encoding of the answer is broken")
        add([CURLE_FILESIZE_EXCEEDED], .other, .answerTooLarge, .answerTooLarge, "the answer is too large")
        add([CURLE_URL_MALFORMAT], .invalidRequest, .other, .other, "the address cannot be used")
        add([CURLE_OUT_OF_MEMORY], .other, .other, .other, "there is not enough memory")
        add([CURLE_FAILED_INIT], .other, .other, .other, "libcurl refused the call")
        return rows
    }()

    static let fallback = Row(before: .other, after: .other, inside: .other, words: "the call failed")

    static func row(for code: CURLcode) -> Row {
        rows[code.rawValue] ?? fallback
    }

    /// The code of libcurl 7.88 for a failure that belongs to the proxy if it happens before the tunnel stands.
    static func isOfConnection(_ code: CURLcode) -> Bool {
        switch code {
        case CURLE_OPERATION_TIMEDOUT, CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE:
            false
        default: true
        }
    }
}
