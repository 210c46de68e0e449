package io.pilothouse.core.base;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a connection string of an Azure storage account says: where it is, and its key. */
public record AzureConnection(URI endpoint, String account, String key) {
    private static final int MAX_PORT = 65_535;
    private static final String FIELD = "connectionString";

    /** Faults never quote it. */
    public static Optional<AzureConnection> parse(String text, Faults faults) {
        Map<String, String> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String part : text.split(";", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(
                        part.substring(0, equals).strip(),
                        part.substring(equals + 1).strip());
            }
        }
        String account = parts.getOrDefault("AccountName", "");
        String key = parts.getOrDefault("AccountKey", "");
        if (!account.matches("[a-z0-9]{3,24}") || !isBase64(key)) {
            faults.add(FIELD, "must hold AccountName and AccountKey, with semicolons between");
            return Optional.empty();
        }
        String endpoint = parts.getOrDefault(
                "BlobEndpoint",
                parts.getOrDefault("DefaultEndpointsProtocol", "https") + "://" + account + ".blob."
                        + parts.getOrDefault("EndpointSuffix", "core.windows.net"));
        try {
            URI url = new URI(endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint);
            boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
            if (web
                    && url.getPort() <= MAX_PORT
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null) {
                return Optional.of(new AzureConnection(url, account, key));
            }
        } catch (URISyntaxException malformed) {
            // Reported below.
        }
        faults.add(FIELD, "must name an endpoint that is the address of a web server");
        return Optional.empty();
    }

    private static boolean isBase64(String key) {
        try {
            return Base64.getDecoder().decode(key).length > 0;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "AzureConnection[" + endpoint + "]";
    }
}
