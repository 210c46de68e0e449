package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.secret.AwsSignature;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.net.URI;
import java.time.Clock;
import java.util.Map;

/** How a bucket is shown who reads it: by the worker in a request, and by the database in SQL. Safe for many threads. */
sealed interface BucketLogin extends StorageRequests.Signature
        permits BucketLogin.Nobody, BucketLogin.OfKeys, GoogleTokens {
    /** What {@code s3()} takes after the address of a file, and what it takes at its end. */
    Arguments arguments() throws SourceAway;

    /** Pieces of SQL; the second begins with a comma, or is empty. */
    record Arguments(String login, String last) {
        static final String NOBODY = "NOSIGN";

        @Override
        public String toString() {
            return "Arguments";
        }
    }

    /** For what everybody may read. */
    record Nobody() implements BucketLogin {
        @Override
        public Map<String, String> sign(String method, URI address) {
            return Map.of();
        }

        @Override
        public Arguments arguments() {
            return new Arguments(Arguments.NOBODY, "");
        }
    }

    /** With keys of AWS, or of a server that takes such. */
    record OfKeys(AwsKeys keys, String region, Clock clock) implements BucketLogin {
        private static final String SERVICE = "s3";

        @Override
        public Map<String, String> sign(String method, URI address) throws SourceAway {
            return keys.signature(region, SERVICE).signHashed(method, address, new byte[0], clock.instant());
        }

        @Override
        public Arguments arguments() throws SourceAway {
            AwsSignature key = keys.signature(region, SERVICE);
            String token = key.token();
            return new Arguments(
                    Sql.text(key.accessKeyId()) + ", " + Sql.text(key.secretKey())
                            + (token == null ? "" : ", " + Sql.text(token)),
                    "");
        }
    }
}
