package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.FileStore.Page;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/** Sends requests without a body to object storage, and says in a sentence what its refusals mean. */
final class StorageRequests {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;
    private static final Pattern CODE = Pattern.compile("<Code>(\\w+)</Code>");

    private final Signature signature;

    /** The header fields by which a request shows who sends it. */
    @FunctionalInterface
    interface Signature {
        Map<String, String> sign(String method, URI address);
    }

    StorageRequests(Signature signature) {
        this.signature = signature;
    }

    /** Reads one page of a list, as {@code names} says how it is written. */
    Page list(String address, SortedMap<String, String> query, ListedFiles names) throws Trouble {
        String asked = query.entrySet().stream()
                .map(field -> field.getKey() + "=" + ObjectPlace.encodedAll(field.getValue()))
                .collect(Collectors.joining("&"));
        try {
            HttpURLConnection connection = ask("GET", URI.create(address + "?" + asked));
            try (InputStream in = connection.getInputStream()) {
                return names.read(in);
            }
        } catch (IOException gone) {
            throw away(gone);
        } catch (XMLStreamException notAList) {
            throw new Owner("The source does not answer with a list of files (" + notAList.getMessage() + ").");
        }
    }

    /** The file at an address as it is now, which must be there. */
    Found get(String key, URI address) throws Trouble {
        try {
            return found(key, ask("HEAD", address));
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    /** The same; empty where there is none. */
    Optional<Found> find(String key, URI address) throws Trouble {
        return has(address) ? Optional.of(get(key, address)) : Optional.empty();
    }

    private static Found found(String key, HttpURLConnection connection) {
        String etag = connection.getHeaderField("ETag");
        String version = etag != null ? etag : String.valueOf(connection.getHeaderField("Last-Modified"));
        return new Found(key, version.replace("\"", ""), connection.getContentLengthLong());
    }

    boolean has(URI address) throws Trouble {
        try {
            return send("HEAD", address).getResponseCode() != NOT_FOUND;
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    private HttpURLConnection ask(String method, URI address) throws IOException, Trouble {
        HttpURLConnection connection = send(method, address);
        int status = connection.getResponseCode();
        if (status != OK) {
            throw refusal(status, connection.getErrorStream());
        }
        return connection;
    }

    private HttpURLConnection send(String method, URI address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        signature.sign(method, address).forEach(connection::setRequestProperty);
        return connection;
    }

    private static Trouble refusal(int status, @Nullable InputStream error) throws IOException {
        String text = error == null ? "" : new String(error.readNBytes(1 << 16), StandardCharsets.UTF_8);
        Matcher code = CODE.matcher(text);
        String why = status + (code.find() ? " " + code.group(1) : "");
        if (status >= SERVER_ERRORS || status == TOO_MANY || status == REQUEST_TIMEOUT) {
            return new SourceAway("The source answers " + why + ".");
        }
        return new Owner(
                status == NOT_FOUND
                        ? "There is no such bucket or file at the source (" + why + ")."
                        : "The source refuses the credentials or the request (" + why + ").");
    }

    private static SourceAway away(IOException gone) {
        return new SourceAway("The source cannot be reached: " + gone.getMessage());
    }
}
