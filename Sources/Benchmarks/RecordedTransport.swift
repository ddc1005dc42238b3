import GatewayKitCore

/// Answers every request at once with the same recorded answer.
final class RecordedTransport: HTTPTransport {
    private let answer = WireResponse(
        status: 201, fields: RecordedTransport.fields, body: Array(RecordedTransport.body.utf8), exchange: .init())
    private let seen = Locked<WireRequest?>(nil)

    /// The request that came last.
    var lastRequest: WireRequest? { seen.withLock { $0 } }

    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        seen.withLock { $0 = request }
        return answer
    }

    private static var fields: HTTPFields {
        var fields = HTTPFields()
        fields.append("date", "Sun, 15 Jun 2025 15:06:40 GMT")
        fields.append("content-type", "application/json; charset=utf-8")
        fields.append("cache-control", "max-age=0, private, must-revalidate")
        fields.append("x-request-id", "2c7f31b0-9f0e-4a53-8d4e-6a1f0b8a7c55")
        return fields
    }

    /// Spreedly's answer to a create call, member for member (see the sandbox), with made-up values.
    static let body = """
        {"transaction":{"token":"4XqbzTgVn0mJ1cR7sYdK2wLfEo","created_at":"2025-06-15T15:06:40Z",\
        "updated_at":"2025-06-15T15:06:40Z","succeeded":true,"transaction_type":"AddPaymentMethod",\
        "retained":false,"state":"succeeded","message_key":"messages.transaction_succeeded",\
        "message":"Succeeded!","payment_method":{"token":"01JXSAMPLE0TOKEN0FOR0BENCH",\
        "created_at":"2025-06-15T15:06:40.000Z","updated_at":"2025-06-15T15:06:40.000Z",\
        "email":"mara@shop.example","data":null,"storage_state":"cached","test":true,"metadata":null,\
        "callback_url":null,"last_successfully_used":null,"last_four_digits":"1111",\
        "first_six_digits":"411111","card_type":"visa","first_name":"Mara","last_name":"Example",\
        "month":12,"year":2039,"address1":"1 Sample Street","address2":null,"city":"Springfield",\
        "state":"IL","zip":"62701","country":"US","phone_number":null,"company":null,\
        "full_name":"Mara Example","eligible_for_card_updater":true,"shipping_address1":null,\
        "shipping_address2":null,"shipping_city":null,"shipping_state":null,"shipping_zip":null,\
        "shipping_country":null,"shipping_phone_number":null,"issuer_identification_number":"41111111",\
        "click_to_pay":false,"managed":true,"bin_metadata":{"message":"(not enrolled)"},\
        "subscribed_to_mastercard_abu":false,"payment_method_type":"credit_card","errors":[],\
        "fingerprint":"b1946ac92492d2347c6235b4d2611184a0f3","verification_value":"XXX",\
        "number":"XXXX-XXXX-XXXX-1111"}}}
        """
}
