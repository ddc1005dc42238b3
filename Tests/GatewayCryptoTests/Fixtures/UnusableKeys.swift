/// PEM blocks that are no usable RSA key. Made for these tests and used nowhere else.
enum UnusableKeys {
    static let ofTooFewBits = """
        -----BEGIN PRIVATE KEY-----
        MIICeQIBADANBgkqhkiG9w0BAQEFAASCAmMwggJfAgEAAoGBANGIVtqO73TgGQZo
        I1QHabUfHqmXb+C/QSaseFCtJDSva9YX6xfyYhYxrol3Iz9xFlcgx/0sUuxvZrta
        LF0Nkunm//ef5Xfz3/356vvwf0MWaJv/ML2jrC6s3MrJXVG1P4tRcrrkG18I5Gnm
        7Ha1qSQMmNunzS72A6l8tmHzrPonAgMBAAECgYEAwiUF9PTDwxNxnJIZSd6kf4Ia
        MyFyNFiB0Ye042vKRFbWIEWBO2sGn3HhOtX8/ueVv51MMLVFEHYYRjhDKuVM3Wfh
        jY6Z+o6bZemhvSzJx4rfwGAr16Oa5I0pVxvvvMzxGIeMtN5YFyWL/kwH05/PPK4p
        6rjyVIlHy9EHcXgnHsECQQDyIkOTzizrP8sM/XCXbNQBzDuoERCL++/pvFiEpEWE
        IsaWrTxkSQCVFp2BuXquMRjauvNfzbq8seauQE4Fu6YvAkEA3YgiKcWrn6CZ+NoF
        lBj5tcInLKlMIa16nANW4JPG4ZyAOoWQZSgyPz63B5DYr3tL16NJhOc7cnvyscez
        tbfliQJBAMiwC5DDT0nAuxxOJ3bqdaHz0/JOCofrzgLN4BQ4T4HgjPawKSD5vOjV
        MMEnqX4dJXuNflCGpOLnFMqSc9iemnMCQQC38zmC/CulkgMoe0lUj2SSg5Rp5m5c
        LKP59l/mfW8QmhZ0AcJD7RvEHnx24NS86iGw/lqm7CcVykxdSRk1lG0ZAkEA6CA5
        sgBKvSvweByy8/aYoJcp84gbR6FNyB6qyIPY/+2nLv9e235DUUUhzj4u+x97hxfn
        EWMPMWhoqUhEOVyl9Q==
        -----END PRIVATE KEY-----
        """

    static let ofPSSOnly = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADALBgkqhkiG9w0BAQoEggSoMIIEpAIBAAKCAQEA7SkQTqX2bxRsMxRh
        kYSkP/iZz7E4L2DMt3grRj4vEl3oigmRqIDJdnypJwlD6A5hGhOC2JlFf4mEKL51
        aVuoe/vcBLMBuploOQ8Ff6ZhkmOT6gw0ILddPf0/Ch9hxcZbRG7vVnPbITbW6QWU
        YL0P9PSL10jUOq7fgQ0nX923cPrdhljXMFbmXle2If6gQZCNVkyFVhOylR3mnv/7
        fFCjP7lhgXCjwBvvZQmOSqBZ2t1/Y0N9Jt6qPxy/23d5P3NXFlGh05tSPcJ7tU9P
        jRwM5prmWVzkf2hEApFwRtT9h3bW7m2cySmfHtDB/xF5m6IIsA40OaukAZRkW0w7
        3+uzqwIDAQABAoIBAAYJOYUG7FK/blGOfz045wVJyoBivk9WY194C4HqK0CIa1a4
        D6D+RiJh4dxAfB3337jOLlJc9EvesCJpVour7YnaSytDcxPQu7pYC4fIMEuNhUI7
        tUfv4sulGmmjitWByuje+fB1Wmpp/uZHYhNkPHe7kaOVEvG7aazbLNlfxz901opN
        5KvtX3mQpucBqn+NExND6oUiA1ZGNuah6VhA9+xdkvK7KnpH9h6jRlVy/KD4dc+A
        v57+9HaJNG5q9zVp+48MW4AZEqJcURvUu4vBsCnQtNC9Gj5bBAbciXUJ+iaEUUFa
        KuvRaEtPkgXucrnlfi7Z3bClJ/2w7MbSUsxFViECgYEA/ZaBub2fj/SLaknulQVo
        ykpx+EEVKpCrMV17dhoRZnLMc6OD/rp4rLnTpnt+TPwDPmpeFFpf+yf7cXhazL95
        vDxpnMoAkFDrsl+NEgqb2yW7NmhTS6khpvMlb8mIunds6mNxqDkSN6HCtRBwAmTW
        bgyB5PAdbPw+3kT34p8FdFcCgYEA72qON5EZCnOZ4k3Yj6cKgU5PiJ+n5ea+Cdhq
        IF7SjGdmlqUezLQ6OHKEVjOcg1yJZ6d3p3TsqBvJD9OMxP98N9qIeP8UgY0671/p
        oEYl9kfM3cNQWk0uTjEZsHB+HOyqzZdZ12eF5ABzwTDcTM0rXJTOh2Gs0A+hRQ1C
        S/aYhs0CgYAyBvwmqXsOCj9qw5UWvw9yQQeE40oKsKmlPnz5yqC+Jk2hTpPer+jY
        onxXrqs3AsydBpzyxPWEddnMA+Nd2zRn5z8qmEtOLTiiYulQstkWfbYWQLSWC5LA
        /dzX1dlsd9z7zIyClGe8o+PmloySXFRVN5B0ms4jTwwUC2UfxyFrVwKBgQCJdPkg
        KBtjZ8mzJ5StrW8XnFmHjHq+QUNcrbcIzMg/umIpHbZYOyWuIPmf8FPtC6UMMRc+
        up/hSMqgXopU1IaCHuL57SHd27M5miytS3kiNEkIDcpFfkiWthQUvBF8E9lg3oPD
        a3lw1V2gTqg9JBLAPeNx0P+CGWczGRC2QmeCBQKBgQCFLJiO+iAf/PeM4m4ETOyk
        i8lSace1510tv5SnePuVDBNPhkmATqGbFztVeATdHWBP0JkhEvNu2+Bk7WLQSi8p
        9w22CMW0xF7RbLx8KhX0jcNGLG5SYMLGe1JUDyvhoSBGsnzrnedtiJVUXcfXjj51
        /YrEHzGwqzqnNOU1y4R5Ng==
        -----END PRIVATE KEY-----
        """

    static let ellipticPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAI9Q7KeKQTXPMmVi
        ct5oFTg7YxoFLfMRrJhBFfmK/UahRANCAAR9o13EEZSLMdIO0GRQzSlrswTtNYCT
        i+7Ck/dIQxTbC7/qcGPpPtXd7HrVYL5bub8IF/Bo6vRnS5sIymwV3n5e
        -----END PRIVATE KEY-----
        """

    static let ellipticPublic = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyOQAFw02z8CdP5wBxUBlwj+UZ6w1
        cPnw+bBKnGxTokqtREiV1tk7uu/SeYdDnRhkA2a2q7r9ZcHDCpq+9Vz8Mw==
        -----END PUBLIC KEY-----
        """

    static let encryptedPKCS8 = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBCMx7l+iUbIVEx0wOYG
        /tgyAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ3jSgKAd9It2SX+nU
        B40MogSBkM/aw4eOcmUPWBT8flvTOdX+IcGOzzhtTcZpiWl9fJ9+qThdt10cRWGS
        SSfGwrROqYawI6+R7pGXSWLdP6r1Iy/8RocFTF6enfsJO+7nTc8AORb+Lid9xV45
        /38xTyE8247+WsFtqiebMKCJQGGLBF3rQlN9PSrHN/rokEzuJ0YkgSFUX8TkerU8
        T+3Ys5akEQ==
        -----END ENCRYPTED PRIVATE KEY-----
        """

    static let encryptedTraditional = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,9B3BF24560C80A92D2A78ED1FF421BE1

        fK2LYxJyechy8P6/JwT2TiYzy9NzlBi6ak/sb49RMB9c9eJicAU/xDX5qx+GktNT
        EUUstfAslJqNR/pdO6EzYmHLXjgjXj8vOfc6Bdw3x25BRKoOm5XZN2/IalSyywId
        aFlRiKbF2FAKJ2xNd9dAGyngSsE6yj+woNeybvL5zaQ=
        -----END EC PRIVATE KEY-----
        """

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBeTCCAR+gAwIBAgIUOpgqhVCEAr2Xp3LDDYPxWhmpvtUwCgYIKoZIzj0EAwIw
        EjEQMA4GA1UEAwwHZXhhbXBsZTAeFw0yNjExMzAxNDQyNTNaFw0yNjEyMDExNDQy
        NTNaMBIxEDAOBgNVBAMMB2V4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AAQMNAte8l0oNDmsSGNuu35Rbnzb5zlaGJvZiQXFmwU/MOr3njxk4W+RCS6Zr6iN
        GOdDFvbyds1zGFQNDz2kK0iQo1MwUTAdBgNVHQ4EFgQUgB8/A1YFpe53dDXWDUvr
        amN6HUEwHwYDVR0jBBgwFoAUgB8/A1YFpe53dDXWDUvramN6HUEwDwYDVR0TAQH/
        BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAhZqd/ZZ7jvbU7LsnHVevKCX21n4J
        kBxykqKG+AFNtTwCIGep4FuDd9Ac6cxidMOzP/Wz4efamX2CFo90gpPSUXDI
        -----END CERTIFICATE-----
        """
}
