/// What another implementation made for ``PublishedKey``: Python's cryptography 48.0 and jwcrypto 1.6.
enum OthersMessages {
    /// RSA-OAEP with SHA-256 of the text below.
    static let encrypted = [
        "VQc1PDV3WPH6VX1GVPuUBp8nVuuT0Z4h0ayt6vB00Qt77Gz3_-30ejpGtXAT08g34J7ubahFrC-AxQmfHAoq1t3kYFnmA6EN",
        "o0EmJ-LCOM983lX9XdeNqwj9YZvaXjj9LiBpXcfOZhNi6xUgMy0K3nn9V20mFnokV7kZv4Gx9npj1rETRtZG0vCov-W8e6F_",
        "b1_qjxkk8wZqiqky6aUUtetYHyyPZZSTZPdz26b6E26hVl4lENkJ2_a62N5NAmghDLxp7jhMsSGBO-2PbBmxvbLgso7UPsYI",
        "WSLRs-3-1VzXHJBMMOTSiVIGmxesoPrNcicub-XSsQSzPfBCuUM8FA",
    ].joined()
    static let secret = "a secret of the other side"

    /// A compact JWE of the text below, with `typ` and `kid`.
    static let message = [
        "eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIiwidHlwIjoiSldUIiwia2lkIjoiay0xIn0.b4jVDeUjxVE_",
        "uCmYjXwWpG_-4FtftKSCnDG1wLKvQJPJs641Zdlu9DeEgDv1_xDfnvqln5tOArP8DJOKyAFp2vzopnExsqwUNUtc-VMecEkJ",
        "AmyjL-oikHotjVYt4gbFpGpIFeL8_fZKI7RI2Be1Rx0mqB3G0vfkhlpkO7PqYWXvsKSJoDCR60nXKhHzUBegAjh4oAHvKVg6",
        "9-QsPGQ6xAqpdAv0Pght0sV4lRMSdgfg1mI_smGAeCuyEVlhSMkUKV1fEPq3bx4Qlgk6YpuLMLsTGU5Cv-1Yy7pwikWdf4dO",
        "ZxCLTW_feRAvsJFhZStBnVehy1rbMmOo4oudBx3XEg.5ZZvoaCSXj3zI6y-.Teqidzo04w4HNilwUq-S6e7tCFrZFK2sVvk-",
        "54uF._qCe5uypRupnLQdfq3-cig",
    ].joined()
    static let content = #"{"sub":"Ada Okoro","visits":3}"#
}
