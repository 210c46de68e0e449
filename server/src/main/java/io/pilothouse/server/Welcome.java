package io.pilothouse.server;

import java.nio.file.Path;
import java.util.UUID;

/** The text for a person once the program is up: how to reach it, and lines that work when pasted. */
final class Welcome {
    private Welcome() {}

    /** The only time that the secrets are shown. */
    static String first(String version, Urls urls, FirstAccess access, Path credentials, PlaneParts plane) {
        String services = urls.base() + "/v1/organizations/" + access.organizationId() + "/services";
        String body = plane.authority().isPresent()
                ? "{\"name\": \"My first service\", \"ipAccessList\": [{\"source\": \"127.0.0.1\"}]}"
                : "{\"name\": \"My first service\"}";
        String trust = urls.authority()
                .map(file -> "--cacert " + Home.shown(file) + " ")
                .orElse("");
        String key = trust + "-u " + access.keyId() + ":" + access.keySecret();
        return """
                Pilothouse %s is up.

                  base_url         %s
                  alerts_url       %s
                  query_url        %s
                  organization_id  %s
                  key_id           %s
                  key_secret       %s
                  token            %s
                %s
                The secrets are shown this once. They are also in %s, which only you can read.
                Create a service, %s:

                ANSWER=$(curl -s %s -H 'Content-Type: application/json' -d '%s' %s); \
                printf '%%s\\n' "$ANSWER"; SERVICE_ID=$(printf '%%s' "$ANSWER" | sed 's/.*"service":{"id":"\\([^"]*\\)".*/\\1/')

                curl -s %s %s/$SERVICE_ID; echo

                %scurl -s %s-H 'Authorization: Bearer %s' %s/api/v2/alerts; echo

                """.formatted(
                version,
                urls.base(),
                urls.alerts(),
                urls.query(),
                access.organizationId(),
                access.keyId(),
                access.keySecret(),
                access.token(),
                of(urls, plane),
                Home.shown(credentials),
                plane.authority().isPresent() ? "read it, ask its database, list alerts" : "read it, list alerts",
                key,
                body,
                services,
                key,
                services,
                plane.authority().map(Welcome::select).orElse(""),
                trust,
                access.token(),
                urls.alerts());
    }

    /** A later start: the secrets are where they were written the first time, if they still are. */
    static String again(String version, Urls urls, UUID organizationId, CredentialsFile credentials, PlaneParts plane) {
        String where = credentials.exists()
                ? "The first key and token are in " + Home.shown(credentials.path())
                : "The first key and token were shown at the first start; their file " + Home.shown(credentials.path())
                        + " is gone";
        return """
                Pilothouse %s is up again.

                  base_url         %s
                  alerts_url       %s
                  query_url        %s
                  organization_id  %s
                %s
                %s.

                """.formatted(version, urls.base(), urls.alerts(), urls.query(), organizationId, of(urls, plane), where);
    }

    /** The facts of the plane: a line or sentence each, and an empty line after them. */
    private static String of(Urls urls, PlaneParts plane) {
        StringBuilder text = new StringBuilder();
        urls.console()
                .ifPresent(url -> text.append("  console_url      ").append(url).append("/\n"));
        urls.authority()
                .or(plane::authority)
                .ifPresent(file -> text.append("  ca_file          ")
                        .append(Home.shown(file))
                        .append('\n'));
        plane.notices().forEach(notice -> text.append('\n').append(notice).append('\n'));
        return text.toString();
    }

    /** Works at once: a client that connects while the database starts waits for it. */
    private static String select(Path authority) {
        return """
                curl -s --cacert %s -u default:$(printf '%%s' "$ANSWER" | sed 's/.*"password":"\\([^"]*\\)".*/\\1/') \
                $(printf '%%s' "$ANSWER" | sed 's/.*"protocol":"https","host":"\\([^"]*\\)","port":\\([0-9]*\\).*/https:\\/\\/\\1:\\2/') \
                -d 'SELECT version()'

                """.formatted(Home.shown(authority));
    }
}
