import CCurl
import CCurlShim
import GatewayKitCore

/// How a call ended: by libcurl's word or by our own.
enum TransferEnd {
    case code(CURLcode)
    case stopped(Transfer.Stop)
}

/// Turns the end of a call into an answer or an error that says what happened and how far the request got.
enum Outcome {
    static func of(
        _ transfer: Transfer, _ end: TransferEnd, _ easy: EasyHandle?
    ) -> Result<WireResponse, TransportError> {
        switch end {
        case .stopped(let stop):
            return .failure(failure(transfer, stop, easy))
        case .code(let code):
            // When one of our callbacks ended the call, libcurl's code says no more than that.
            if let stop = transfer.stop { return .failure(failure(transfer, stop, easy)) }
            guard code == CURLE_OK else { return .failure(failure(transfer, code, easy)) }
            guard let easy, let status = transfer.head.status else {
                return .failure(failure(transfer, CURLE_WEIRD_SERVER_REPLY, easy))
            }
            // libcurl calls it a success when the connection is closed in the middle of the head.
            guard transfer.head.isComplete else {
                return .failure(error(.truncated, transfer, "the head of the answer ends too early"))
            }
            if let fault = transfer.body.faultAtEnd() {
                return .failure(failure(transfer, .body(fault), easy))
            }
            return .success(
                WireResponse(
                    status: status, fields: transfer.fields, body: transfer.body.bytes,
                    exchange: exchange(easy, isSecure: transfer.request.url.origin.isSecure)))
        }
    }

    private static func exchange(_ easy: EasyHandle, isSecure: Bool) -> WireResponse.Exchange {
        func time(_ info: CURLINFO) -> Duration { .microseconds(gk_easy_get_int64(easy.raw, info)) }
        let isReused = gk_easy_get_long(easy.raw, CURLINFO_NUM_CONNECTS) == 0
        let version: String? =
            switch gk_easy_get_long(easy.raw, CURLINFO_HTTP_VERSION) {
            case Int(CURL_HTTP_VERSION_1_0): "HTTP/1.0"
            case Int(CURL_HTTP_VERSION_1_1): "HTTP/1.1"
            case Int(CURL_HTTP_VERSION_2_0): "HTTP/2"
            default: nil
            }
        return WireResponse.Exchange(
            total: time(CURLINFO_TOTAL_TIME_T),
            connect: isReused ? .zero : time(isSecure ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), reusedConnection: isReused, httpVersion: version)
    }

    // MARK: Ended by libcurl

    private static func failure(_ transfer: Transfer, _ code: CURLcode, _ easy: EasyHandle?) -> TransportError {
        let row = FailureTable.row(for: code)
        let connectStatus = easy.map { gk_easy_get_long($0.raw, CURLINFO_HTTP_CONNECTCODE) } ?? 0
        let isTunnelled = (200..<300).contains(connectStatus)
        let reach = transfer.reach
        if code == CURLE_OUT_OF_MEMORY && reach != .notSent && !transfer.head.isComplete {
            // Said by libcurl of a line that is longer than the 100 KB that it takes.
            return failure(transfer, .headTooLarge, easy)
        }
        var words = row.words
        var kind: TransportError.Kind
        switch reach {
        case .notSent: kind = row.before
        case .sent:
            kind = row.after
            if code == CURLE_OPERATION_TIMEDOUT { words = "no answer came in time" }
        case .answered: kind = row.inside
        }
        var party = "provider " + transfer.request.url.origin.description
        if let proxy = transfer.proxy, reach == .notSent, !isTunnelled {
            party = "proxy " + proxy.origin.description
            if FailureTable.isOfConnection(code) { kind = .proxy }
            if connectStatus == 407 {
                words = "the proxy refused the tunnel: it wants a user name and password, or others than those given"
            } else if connectStatus > 0 {
                words = "the proxy refused the tunnel with status \(count: connectStatus)"
            }
        }
        words = "\(words) (\(party))"
        if let text = easy?.errorText, !text.isEmpty {
            words = "\(words): \(redactor(transfer).scrub(text))"
        }
        if kind == .tls, let proxy = transfer.proxy, isTunnelled {
            let inspector = proxy.origin.description
            words =
                "\(words). The connection goes through the proxy \(inspector); if that inspects TLS, give its "
                + "certificate authority as extra CA file"
        }
        return error(kind, transfer, words)
    }

    private static func redactor(_ transfer: Transfer) -> Redactor {
        var secrets = transfer.request.secrets
        if let user = transfer.proxy?.user { secrets.append(user) }
        if let password = transfer.proxy?.password { secrets.append(password) }
        return Redactor(secrets: secrets)
    }

    // MARK: Ended by us

    private static func failure(_ transfer: Transfer, _ stop: Transfer.Stop, _ easy: EasyHandle?) -> TransportError {
        switch stop {
        case .cancelled: return error(.cancelled, transfer, "the call was cancelled")
        case .closed: return error(.closed, transfer, "the transport was shut down during the call")
        case .deadline: return overdue(transfer, easy)
        case .headTooLarge:
            return error(
                .answerTooLarge, transfer, "the head of the answer is longer than \(count: transfer.limits.head) bytes")
        case .body(.tooLarge):
            return error(
                .answerTooLarge, transfer, "the body of the answer is longer than \(count: transfer.limits.body) bytes")
        case .body(.broken):
            return error(.malformedAnswer, transfer, "the compression of the answer is broken")
        case .body(.unknownEncoding):
            return error(.malformedAnswer, transfer, "the answer is compressed in a way that was not asked for")
        case .body(.truncated):
            return error(.truncated, transfer, "the compressed body of the answer ends too early")
        case .secondSending:
            return error(
                .connectionLost, transfer,
                "the kept connection ended without an answer, and the request must not be sent twice")
        case .notLoopback:
            return error(.refusedHost, transfer, "plain http was about to leave this machine")
        case .peerGone:
            return error(.connect, transfer, "the connection was closed as soon as it stood")
        }
    }

    private static func overdue(_ transfer: Transfer, _ easy: EasyHandle?) -> TransportError {
        guard let easy else { return error(.timeout, transfer, "the deadline had passed before the call began") }
        switch transfer.reach {
        case .answered: return error(.timeout, transfer, "the deadline passed while the answer was being read")
        case .sent: return error(.timeout, transfer, "the deadline passed before an answer came")
        case .notSent: break
        }
        let party = (transfer.proxy?.origin ?? transfer.request.url.origin).description
        let role: SafeText = transfer.proxy == nil ? "provider" : "proxy"
        if gk_easy_get_int64(easy.raw, CURLINFO_NAMELOOKUP_TIME_T) == 0 {
            return error(
                .connectTimeout, transfer,
                "the deadline passed during the name look-up or while waiting for a free connection (\(role) \(party))")
        }
        return error(.connectTimeout, transfer, "the deadline passed before a connection stood (\(role) \(party))")
    }

    private static func error(
        _ kind: TransportError.Kind, _ transfer: Transfer, _ words: SafeText
    ) -> TransportError {
        let status = transfer.head.status
        let consequence: SafeText =
            switch transfer.reach {
            case .notSent: "nothing was sent"
            case .sent: "the request may have arrived"
            case .answered: "the provider had begun to answer with status \(count: status ?? 0)"
            }
        return TransportError(
            kind, reach: transfer.reach, detail: "\(words); \(consequence)", partialStatus: status)
    }
}
