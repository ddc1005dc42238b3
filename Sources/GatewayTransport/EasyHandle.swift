import CCurl
import CCurlShim
import GatewayKitCore

/// A libcurl handle with its error text, set up anew for every call and kept for the next one.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// What the constant settings are made for; `nil`: not made.
    private var route: Route?

    /// What makes two calls of one transport need different settings.
    struct Route: Equatable {
        let isSecure: Bool
        let isProxied: Bool
    }

    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        errorBuffer.deallocate()
    }

    /// libcurl's own words for the last failure; may be empty.
    var errorText: String { String(cString: errorBuffer) }

    /// Forgets what belonged to the last call, and cannot reach its memory any more.
    ///
    /// Settings that stay the same from call to call stay set: making them anew took more time than sending.
    func release() {
        errorBuffer[0] = 0
        var settings = Settings(raw: raw)
        settings.set(CURLOPT_URL, pointer: nil)
        settings.set(CURLOPT_HTTPHEADER, pointer: nil)
        settings.set(CURLOPT_POSTFIELDS, pointer: nil)
        settings.set(CURLOPT_CUSTOMREQUEST, pointer: nil)
        settings.set(CURLOPT_HTTPGET, 1)
        if !settings.areAccepted || !setCallbacks(nil) { route = nil }
    }

    /// Sets everything for `transfer`, which must outlive the call; `false` when libcurl refuses a setting.
    func prepare(_ transfer: Transfer, _ memory: RequestMemory, _ configuration: TransportConfiguration) -> Bool {
        var settings = Settings(raw: raw)
        let wanted = Route(isSecure: transfer.request.url.origin.isSecure, isProxied: transfer.proxy != nil)
        if route != wanted {
            curl_easy_reset(raw)
            settings.setConstants(configuration, wanted, transfer.proxy, errorBuffer)
            route = settings.areAccepted ? wanted : nil
        }
        settings.set(CURLOPT_URL, pointer: memory.url)
        settings.set(CURLOPT_HTTPHEADER, pointer: memory.lines)
        settings.setMethod(transfer.request.method, memory.body)
        return settings.areAccepted && setCallbacks(transfer)
    }

    private func setCallbacks(_ transfer: Transfer?) -> Bool {
        let context = transfer.map { Unmanaged.passUnretained($0).toOpaque() }
        return gk_easy_set_callbacks(raw, context, onHeadLine, onBody, onReadyToSend) == CURLE_OK
    }
}

/// Sets options and remembers whether one of them was refused.
private struct Settings {
    let raw: UnsafeMutableRawPointer
    var areAccepted = true

    mutating func set(_ option: CURLoption, _ value: Int) {
        if gk_easy_set_long(raw, option, value) != CURLE_OK { areAccepted = false }
    }

    mutating func set(_ option: CURLoption, _ value: String) {
        if gk_easy_set_text(raw, option, value) != CURLE_OK { areAccepted = false }
    }

    mutating func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
        if gk_easy_set_pointer(raw, option, pointer) != CURLE_OK { areAccepted = false }
    }

    /// Everything that does not change from call to call.
    mutating func setConstants(
        _ configuration: TransportConfiguration, _ route: EasyHandle.Route, _ proxy: Proxy?,
        _ errorBuffer: UnsafeMutablePointer<CChar>
    ) {
        set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
        set(CURLOPT_NOSIGNAL, 1)
        // Without this a name server that never answers holds the whole loop when a call is given up.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, route.isSecure ? "https" : "http")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeout.wholeMilliseconds))
        set(CURLOPT_MAXAGE_CONN, 30)
        // The answer is decoded by AnswerBody, which sees a compressed body that breaks off.
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        setTLS(configuration, isSecure: route.isSecure)
        setProxy(proxy)
        if configuration.http2 && route.isSecure {
            set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            set(CURLOPT_PIPEWAIT, 1)
        } else {
            set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        }
    }

    mutating func setTLS(_ configuration: TransportConfiguration, isSecure: Bool) {
        guard isSecure else { return }
        let oldest = Int(CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_SSLVERSION, oldest)
        set(CURLOPT_PROXY_SSLVERSION, oldest)
        if let file = configuration.extraCAFile {
            // The directory of the system's authorities stays in force beside the file.
            set(CURLOPT_CAINFO, file)
            set(CURLOPT_PROXY_CAINFO, file)
        } else if gk_easy_get_text(raw, CURLINFO_CAINFO) != nil {
            // libcurl keeps the parsed authorities from one connection to the next only if there is no directory.
            set(CURLOPT_CAPATH, pointer: nil)
        }
    }

    /// An empty text is the only way to keep libcurl from reading the environment.
    mutating func setProxy(_ proxy: Proxy?) {
        set(CURLOPT_NOPROXY, "")
        guard let proxy else {
            set(CURLOPT_PROXY, "")
            return
        }
        let scheme = proxy.origin.isSecure ? "https://" : "http://"
        set(CURLOPT_PROXY, scheme + proxy.origin.host + ":" + String(proxy.origin.port))
        set(CURLOPT_HTTPPROXYTUNNEL, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Keeps the request's own fields, credentials among them, out of CONNECT.
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        set(CURLOPT_PROXYAUTH, gk_auth_basic)
        proxy.user?.withExposed { set(CURLOPT_PROXYUSERNAME, $0) }
        proxy.password?.withExposed { set(CURLOPT_PROXYPASSWORD, $0) }
    }

    mutating func setMethod(_ method: HTTPMethod, _ body: UnsafeMutableRawBufferPointer?) {
        let carriesBody = body != nil || method == .post || method == .put || method == .patch
        if carriesBody {
            // The size first: without it libcurl measures the bytes up to a zero.
            if gk_easy_set_int64(raw, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body?.count ?? 0)) != CURLE_OK {
                areAccepted = false
            }
            set(CURLOPT_POST, 1)
            if let body {
                set(CURLOPT_POSTFIELDS, pointer: body.baseAddress)
            } else {
                set(CURLOPT_COPYPOSTFIELDS, "")
            }
        }
        if method != (carriesBody ? .post : .get) { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
    }
}

extension Duration {
    /// Milliseconds, rounded up, so that a wait is never shorter than asked.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return scaled.addingReportingOverflow(whole + (rest > 0 ? 1 : 0)).partialValue
    }
}

private func onHeadLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    handOver(bytes, size * count, context) { $0.takeHeadLine($1) }
}

private func onBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    handOver(bytes, size * count, context) { $0.takeBody($1) }
}

/// Returning fewer bytes than were offered ends the call; nothing is ever offered that is empty and must be ended.
private func handOver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ length: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
    guard let bytes, let context, length > 0 else { return length }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: length) { start in
        take(transfer, UnsafeBufferPointer(start: start, count: length))
    }
    return isTaken ? length : 0
}

private func onReadyToSend(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_ABORT }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let address = remote.map { String(cString: $0) } ?? ""
    return transfer.permitsSending(toAddress: address) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
