package io.pilothouse.server;

import java.nio.file.Path;
import java.util.UUID;

/** What a person reads once the program is up: how to reach it, and lines that work when pasted. */
final class Welcome {
    private Welcome() {}

    /** The only time that the secrets are shown. */
    static String first(String version, Urls urls, FirstAccess access, Path credentials) {
        String services = urls.base() + "/v1/organizations/" + access.organizationId() + "/services";
        String key = "-u " + access.keyId() + ":" + access.keySecret();
        return """
                Pilothouse %s is up.

                  base_url         %s
                  alerts_url       %s
                  organization_id  %s
                  key_id           %s
                  key_secret       %s
                  token            %s

                The secrets are shown this once. They are also in %s, which only you can read.
                Create a service, read it, list alerts:

                ANSWER=$(curl -s %s -H 'Content-Type: application/json' -d '{"name": "My first service"}' %s); \
                printf '%%s\\n' "$ANSWER"; SERVICE_ID=$(printf '%%s' "$ANSWER" | sed 's/.*"service":{"id":"\\([^"]*\\)".*/\\1/')

                curl -s %s %s/$SERVICE_ID; echo

                curl -s -H 'Authorization: Bearer %s' %s/api/v2/alerts; echo

                """.formatted(
                        version,
                        urls.base(),
                        urls.alerts(),
                        access.organizationId(),
                        access.keyId(),
                        access.keySecret(),
                        access.token(),
                        Home.shown(credentials),
                        key,
                        services,
                        key,
                        services,
                        access.token(),
                        urls.alerts());
    }

    /** A later start: the secrets are where they were written the first time, if they still are. */
    static String again(String version, Urls urls, UUID organizationId, CredentialsFile credentials) {
        String where = credentials.exists()
                ? "The first key and token are in " + Home.shown(credentials.path())
                : "The first key and token were shown at the first start; their file " + Home.shown(credentials.path())
                        + " is gone";
        return """
                Pilothouse %s is up again.

                  base_url         %s
                  alerts_url       %s
                  organization_id  %s

                %s.

                """.formatted(version, urls.base(), urls.alerts(), organizationId, where);
    }
}
