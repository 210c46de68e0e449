package io.pilothouse.server.api;

/** Requests for pipes and routes that are taken. */
final class PipeBodies {
    static final String DESTINATION = """
            'destination': {'database': 'default', 'table': 'events', 'managedTable': true,
                            'tableDefinition': {'engine': {'type': 'MergeTree'}, 'sortingKey': ['id']},
                            'columns': [{'name': 'id', 'type': 'Int64'}]},
            'fieldMappings': [{'sourceField': 'id', 'destinationField': 'id'}]""";
    static final String KAFKA = """
            {'name': 'Events', 'source': {'kafka': {'type': 'kafka', 'format': 'JSONEachRow', 'brokers': 'b:9092',
             'topics': 'events', 'authentication': 'PLAIN',
             'credentials': {'username': 'reader', 'password': 'a-kafka-password-nobody-shall-see'}}},
             %s}""".formatted(DESTINATION);
    static final String WAITING_KAFKA = KAFKA.replace("{'name': 'Events',", "{'name': 'Events', 'startPaused': true,");
    static final String AZURE_CONNECTION =
            "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=%s;EndpointSuffix=core.windows.net";
    static final String AZURE_SOURCE = """
            {'objectStorage': {'type': 'azureblobstorage', 'format': 'JSONEachRow',
             'authentication': 'CONNECTION_STRING', 'connectionString': '%s', 'path': 'in/*.json',
             'azureContainerName': 'landing'}}""".formatted(AZURE_CONNECTION.formatted("an-account-key-nobody-shall-see=="));
    static final String AZURE = "{'name': 'Blobs', 'source': " + AZURE_SOURCE + ", " + DESTINATION + "}";
    static final String POSTGRES = """
            {'name': 'Orders', 'source': {'postgres': {'host': 'db.example.org', 'port': 5432, 'database': 'shop',
             'credentials': {'username': 'reader', 'password': 'a-database-password-nobody-shall-see'},
             'settings': {'replicationMode': 'cdc'},
             'tableMappings': [{'sourceSchemaName': 'public', 'sourceTable': 'orders', 'targetTable': 'orders'}]}},
             'destination': {'database': 'default'}}""";
    static final String MYSQL = """
            {'name': 'Users', 'source': {'mysql': {'host': 'db.example.org',
             'credentials': {'username': 'reader', 'password': 'a-database-password-nobody-shall-see'},
             'settings': {'replicationMode': 'cdc'},
             'tableMappings': [{'sourceSchemaName': 'shop', 'sourceTable': 'users', 'targetTable': 'users'}]}},
             'destination': {'database': 'default'}}""";
    static final String MONGODB = """
            {'name': 'Carts', 'source': {'mongodb': {'uri': 'mongodb+srv://cluster.example.org/shop',
             'readPreference': 'secondary',
             'credentials': {'username': 'reader', 'password': 'a-database-password-nobody-shall-see'},
             'tableMappings': [{'sourceDatabaseName': 'shop', 'sourceCollection': 'carts', 'targetTable': 'carts'}]}},
             'destination': {'database': 'default'}}""";
    static final String BIGQUERY = """
            {'name': 'History', 'source': {'bigquery': {'snapshotStagingPath': 'gs://bucket/staging/',
             'credentials': {'serviceAccountFile': 'a-service-account-nobody-shall-see'},
             'tableMappings': [{'sourceDatasetName': 'shop', 'sourceTable': 'orders', 'targetTable': 'old_orders'}]}},
             'destination': {'database': 'default'}}""";
    static final String PUBSUB = """
            {'name': 'Messages', 'source': {'pubsub': {'projectId': 'my-project', 'topic': 'events',
             'serviceAccountKey': {'serviceAccountFile': 'a-service-account-nobody-shall-see'}}},
             %s}""".formatted(DESTINATION);
    static final String KINESIS = """
            {'name': 'Stream', 'source': {'kinesis': {'streamName': 's', 'region': 'us-east-1',
             'iteratorType': 'AT_TIMESTAMP', 'timestamp': %s,
             'iamRole': 'arn:aws:iam::123456789012:role/reader'}}, DESTINATION}""".replace("DESTINATION", DESTINATION);
    static final String WAITING_KINESIS =
            KINESIS.formatted(1_776_000_000).replace("{'name': 'Stream',", "{'name': 'Stream', 'startPaused': true,");
    static final String ROUTE = """
            {'description': 'To the broker', 'type': 'VPC_ENDPOINT_SERVICE',
             'vpcEndpointServiceName': 'com.amazonaws.vpce.us-east-1.vpce-svc-1'}""";

    private PipeBodies() {}
}
