/// A journal that a release of schema 1 wrote: `gatewayctl pay` and `pay refund` against the sandbox (made up throughout),
/// dumped as SQL. A payment with a refund, a decline, one pending, one unknown.
enum OldJournal {
    static let sql = """
        PRAGMA application_id = 1196903242;
        PRAGMA user_version = 1;
        BEGIN TRANSACTION;
        CREATE TABLE attempts (
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, intent_id TEXT NOT NULL REFERENCES intents (id),
            parent_id TEXT REFERENCES attempts (id), key TEXT NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL,
            state TEXT NOT NULL, version INTEGER NOT NULL, changed_at INTEGER NOT NULL, due_at INTEGER,
            provider_id TEXT, body TEXT NOT NULL
        ) STRICT;
        INSERT INTO "attempts" VALUES(1,'gkavujt3qit2ezdcn3eqa7lncvcp','order-paid',NULL,'press-1','spreedly',\
        'purchase','approved',3,1796060692,NULL,'01M8PRYGDGPHP2VCA0PA150NNS','{"account":"spreedly",\
        "amount":{"amount":1000,"currency":"USD"},"answerDueAt":1796060728,"changedAt":1796060692,\
        "confirmedAmount":{"amount":1000,"currency":"USD"},"createdAt":1796060692,"fingerprint":[47,151,146,223,220,\
        35,226,211,105,189,4,233,7,33,61,24,122,147,30,159,64,220,7,241,154,154,27,10,118,213,242,41],\
        "id":"gkavujt3qit2ezdcn3eqa7lncvcp","intentID":"order-paid","isLateApproval":false,"key":"press-1",\
        "kind":"purchase","looks":0,"note":"approved","providerID":"01M8PRYGDGPHP2VCA0PA150NNS",\
        "record":{"account":"spreedly","amount":{"amount":1000,"currency":"USD"},"createdAt":1796060692,\
        "gatewayTransactionID":"4P4N8ERF","id":"01M8PRYGDGPHP2VCA0PA150NNS","isTest":true,"kind":"purchase",\
        "networkTransactionID":"NTI8RVF6SJ7","ownReference":"gkavujt3qit2ezdcn3eqa7lncvcp",\
        "providerKind":"Purchase","providerState":"succeeded","requestID":"1dd8920b-3fa1-458a-85ff-376b4dadcbae",\
        "state":"succeeded","updatedAt":1796060692},"sentAt":1796060692,"state":"approved","version":3}');
        INSERT INTO "attempts" VALUES(2,'gkfpwq72mdptxqafwfkcwaifzupl','order-paid','gkavujt3qit2ezdcn3eqa7lncvcp',\
        'r1','spreedly','refund','approved',3,1796060693,NULL,'01M8PRYGR8RK9EE2GP2TEZ710C','{"account":"spreedly",\
        "amount":{"amount":300,"currency":"USD"},"answerDueAt":1796060729,"changedAt":1796060693,\
        "confirmedAmount":{"amount":300,"currency":"USD"},"createdAt":1796060693,"fingerprint":[24,93,213,52,113,89,\
        159,99,209,46,73,181,4,145,243,224,120,224,227,211,133,131,128,153,63,126,148,103,21,39,77,30],\
        "id":"gkfpwq72mdptxqafwfkcwaifzupl","intentID":"order-paid","isLateApproval":false,"key":"r1",\
        "kind":"refund","looks":0,"note":"approved","parentID":"gkavujt3qit2ezdcn3eqa7lncvcp",\
        "providerID":"01M8PRYGR8RK9EE2GP2TEZ710C","reason":"returned","record":{"account":"spreedly",\
        "amount":{"amount":300,"currency":"USD"},"createdAt":1796060693,"gatewayTransactionID":"YGBV35TV",\
        "id":"01M8PRYGR8RK9EE2GP2TEZ710C","isTest":true,"kind":"refund",\
        "ownReference":"gkfpwq72mdptxqafwfkcwaifzupl","parentID":"01M8PRYGDGPHP2VCA0PA150NNS",\
        "providerKind":"Credit","providerState":"succeeded","requestID":"5a313b63-f5c3-457c-bd7b-13b42108f758",\
        "state":"succeeded","updatedAt":1796060693},"requestedBy":"olga","sentAt":1796060693,"state":"approved",\
        "targetID":"gkavujt3qit2ezdcn3eqa7lncvcp","version":3}');
        INSERT INTO "attempts" VALUES(3,'gkbpk2hpbzh3m4nhe4pmldsbmzvh','order-declined',NULL,'press-1','spreedly',\
        'purchase','declined',3,1796060693,NULL,'01M8PRYHB95SZH5220PXBJJRVC','{"account":"spreedly",\
        "amount":{"amount":1000,"currency":"USD"},"answerDueAt":1796060729,"changedAt":1796060693,\
        "createdAt":1796060693,"decline":{"message":"Unable to process the purchase transaction.",\
        "providerCode":"gateway_processing_failed","reason":"cardDeclined",\
        "requestID":"191d840e-01cc-4d4d-be62-6cd4c94014da"},"fingerprint":[58,168,241,11,42,176,102,69,129,74,193,\
        95,124,7,20,81,214,235,131,229,6,150,168,112,227,177,109,105,146,121,223,161],\
        "id":"gkbpk2hpbzh3m4nhe4pmldsbmzvh","intentID":"order-declined","isLateApproval":false,"key":"press-1",\
        "kind":"purchase","looks":0,"note":"declined: cardDeclined","providerID":"01M8PRYHB95SZH5220PXBJJRVC",\
        "record":{"account":"spreedly","amount":{"amount":1000,"currency":"USD"},"createdAt":1796060693,\
        "decline":{"message":"Unable to process the purchase transaction.",\
        "providerCode":"gateway_processing_failed","reason":"cardDeclined",\
        "requestID":"191d840e-01cc-4d4d-be62-6cd4c94014da"},"id":"01M8PRYHB95SZH5220PXBJJRVC","isTest":true,\
        "kind":"purchase","ownReference":"gkbpk2hpbzh3m4nhe4pmldsbmzvh","providerKind":"Purchase",\
        "providerState":"gateway_processing_failed","requestID":"191d840e-01cc-4d4d-be62-6cd4c94014da",\
        "state":"failed","updatedAt":1796060693},"sentAt":1796060693,"state":"declined","version":3}');
        INSERT INTO "attempts" VALUES(4,'gkbojg2s5denefk6skaer3bm4dbc','order-pending',NULL,'press-1','spreedly',\
        'purchase','pending',3,1796060694,1796060694,'01M8PRYHN14M2C6B4MZ0CAY1YF','{"account":"spreedly",\
        "amount":{"amount":3004,"currency":"USD"},"answerDueAt":1796060730,"changedAt":1796060694,\
        "createdAt":1796060694,"fingerprint":[204,41,55,129,170,162,179,198,205,163,132,169,172,227,109,189,26,89,\
        208,114,52,184,233,141,187,7,67,166,123,244,62,196],"id":"gkbojg2s5denefk6skaer3bm4dbc",\
        "intentID":"order-pending","isLateApproval":false,"key":"press-1","kind":"purchase","looks":0,\
        "note":"it goes on","providerID":"01M8PRYHN14M2C6B4MZ0CAY1YF","record":{"account":"spreedly",\
        "amount":{"amount":3004,"currency":"USD"},"createdAt":1796060694,"id":"01M8PRYHN14M2C6B4MZ0CAY1YF",\
        "isTest":true,"kind":"purchase","ownReference":"gkbojg2s5denefk6skaer3bm4dbc","providerKind":"Purchase",\
        "providerState":"pending","requestID":"f5ef99cb-88a3-4120-a9b1-a2eb13274c54","state":"pending",\
        "updatedAt":1796060694},"sentAt":1796060694,"state":"pending","version":3}');
        INSERT INTO "attempts" VALUES(6,'gknbyiagoauxgvaqagpaevqp57ba','order-lost',NULL,'press-1','spreedly',\
        'purchase','unknown',3,1796060701,1796060701,NULL,'{"account":"spreedly","amount":{"amount":1000,\
        "currency":"USD"},"answerDueAt":1796060737,"changedAt":1796060701,"createdAt":1796060701,"fingerprint":[215,\
        249,40,219,165,127,150,193,205,5,212,104,218,145,162,251,198,141,84,224,211,117,84,177,31,28,201,166,205,\
        151,220,47],"id":"gknbyiagoauxgvaqagpaevqp57ba","intentID":"order-lost","isLateApproval":false,\
        "key":"press-1","kind":"purchase","looks":0,"note":"The kept connection ended without an answer, \
        and the request must not be sent twice; the request may have arrived.","sentAt":1796060701,\
        "state":"unknown","version":3}');
        CREATE TABLE clock (only INTEGER PRIMARY KEY CHECK (only = 0), latest INTEGER NOT NULL) STRICT;
        INSERT INTO "clock" VALUES(0,1796060701);
        CREATE TABLE events (
            seq INTEGER PRIMARY KEY, attempt_id TEXT NOT NULL REFERENCES attempts (id), at INTEGER NOT NULL,
            state TEXT NOT NULL, by TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT;
        INSERT INTO "events" VALUES(1,'gkavujt3qit2ezdcn3eqa7lncvcp',1796060692,'prepared','service','begun');
        INSERT INTO "events" VALUES(2,'gkavujt3qit2ezdcn3eqa7lncvcp',1796060692,'sending','service','claimed');
        INSERT INTO "events" VALUES(3,'gkavujt3qit2ezdcn3eqa7lncvcp',1796060692,'approved','service','approved');
        INSERT INTO "events" VALUES(4,'gkfpwq72mdptxqafwfkcwaifzupl',1796060693,'prepared','service','begun');
        INSERT INTO "events" VALUES(5,'gkfpwq72mdptxqafwfkcwaifzupl',1796060693,'sending','service','claimed');
        INSERT INTO "events" VALUES(6,'gkfpwq72mdptxqafwfkcwaifzupl',1796060693,'approved','service','approved');
        INSERT INTO "events" VALUES(7,'gkbpk2hpbzh3m4nhe4pmldsbmzvh',1796060693,'prepared','service','begun');
        INSERT INTO "events" VALUES(8,'gkbpk2hpbzh3m4nhe4pmldsbmzvh',1796060693,'sending','service','claimed');
        INSERT INTO "events" VALUES(9,'gkbpk2hpbzh3m4nhe4pmldsbmzvh',1796060693,'declined','service',\
        'declined: cardDeclined');
        INSERT INTO "events" VALUES(10,'gkbojg2s5denefk6skaer3bm4dbc',1796060694,'prepared','service','begun');
        INSERT INTO "events" VALUES(11,'gkbojg2s5denefk6skaer3bm4dbc',1796060694,'sending','service','claimed');
        INSERT INTO "events" VALUES(12,'gkbojg2s5denefk6skaer3bm4dbc',1796060694,'pending','service','it goes on');
        INSERT INTO "events" VALUES(16,'gknbyiagoauxgvaqagpaevqp57ba',1796060701,'prepared','service','begun');
        INSERT INTO "events" VALUES(17,'gknbyiagoauxgvaqagpaevqp57ba',1796060701,'sending','service','claimed');
        INSERT INTO "events" VALUES(18,'gknbyiagoauxgvaqagpaevqp57ba',1796060701,'unknown','service',\
        'The kept connection ended without an answer, \
        and the request must not be sent twice; the request may have arrived.');
        CREATE TABLE intents (
            id TEXT PRIMARY KEY, amount INTEGER NOT NULL, currency TEXT NOT NULL, account TEXT NOT NULL,
            order_reference TEXT, created_at INTEGER NOT NULL, given_up_at INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO "intents" VALUES('order-declined',1000,'USD','spreedly','2',1796060693,NULL);
        INSERT INTO "intents" VALUES('order-lost',1000,'USD','spreedly','5',1796060701,NULL);
        INSERT INTO "intents" VALUES('order-paid',1000,'USD','spreedly','1',1796060692,NULL);
        INSERT INTO "intents" VALUES('order-pending',3004,'USD','spreedly','3',1796060694,NULL);
        CREATE TABLE leases (
            attempt_id TEXT PRIMARY KEY REFERENCES attempts (id), token INTEGER NOT NULL, worker TEXT NOT NULL,
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX intents_by_order ON intents (order_reference) WHERE order_reference IS NOT NULL;
        CREATE INDEX attempts_by_intent ON attempts (intent_id);
        CREATE INDEX attempts_by_provider ON attempts (provider_id, account) WHERE provider_id IS NOT NULL;
        CREATE INDEX attempts_due ON attempts (due_at) WHERE due_at IS NOT NULL;
        CREATE UNIQUE INDEX one_payment_per_intent ON attempts (intent_id)
            WHERE parent_id IS NULL AND state NOT IN ('declined', 'nothingMoved', 'abandoned');
        CREATE UNIQUE INDEX one_open_operation_per_payment ON attempts (parent_id)
            WHERE parent_id IS NOT NULL AND state IN ('prepared', 'sending', 'pending', 'resuming', 'unknown');
        CREATE UNIQUE INDEX one_use_per_key ON attempts (intent_id, coalesce(parent_id, ''), key)
            WHERE state NOT IN ('nothingMoved', 'abandoned');
        CREATE INDEX events_by_attempt ON events (attempt_id);
        COMMIT;
        """
}
