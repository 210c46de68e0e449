package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.FileStore.Page;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.ByteArrayInputStream;
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
    /** A page has a thousand files, each with a name of a kilobyte at most. */
    private static final int MAX_PAGE_BYTES = 32 << 20;

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;
    private static final Pattern CODE = Pattern.compile("<Code>(\\w+)</Code>");

    private final Signature signature;

    /** The header fields by which a request shows who sends it. */
    @FunctionalInterface
    interface Signature {
        Map<String, String> sign(String method, URI address) throws SourceAway;

        /** These were refused: whether there may be others. */
        default boolean renew(Map<String, String> refused) {
            return false;
        }
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
            HttpURLConnection connection = accepted(send("GET", URI.create(address + "?" + asked)));
            return names.read(new ByteArrayInputStream(whole(connection)));
        } catch (IOException gone) {
            throw away(gone);
        } catch (XMLStreamException notAList) {
            throw new Owner("The source does not answer with a list of files (" + notAList.getMessage() + ").");
        }
    }

    /** All of a page before the first of it is read: one that breaks off is no sign of a wrong answer. */
    private static byte[] whole(HttpURLConnection connection) throws IOException {
        try (InputStream in = connection.getInputStream()) {
            byte[] page = in.readNBytes(MAX_PAGE_BYTES);
            if (page.length < Math.min(MAX_PAGE_BYTES, connection.getContentLengthLong())) {
                throw new IOException("its answer broke off");
            }
            return page;
        }
    }

    /** The file at an address as it is now, which must be there. */
    Found get(String key, URI address) throws Trouble {
        return find(key, address).orElseThrow(() -> missing(Integer.toString(NOT_FOUND)));
    }

    /** The same; empty where there is none. */
    Optional<Found> find(String key, URI address) throws Trouble {
        try {
            HttpURLConnection connection = send("HEAD", address);
            return connection.getResponseCode() == NOT_FOUND
                    ? Optional.empty()
                    : Optional.of(found(key, accepted(connection)));
        } catch (IOException gone) {
            throw away(gone);
        }
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

    private static HttpURLConnection accepted(HttpURLConnection connection) throws IOException, Trouble {
        int status = connection.getResponseCode();
        if (status != OK) {
            throw refusal(status, connection.getErrorStream());
        }
        return connection;
    }

    /** Sent once more where what showed who sends it was revoked before its time. */
    private HttpURLConnection send(String method, URI address) throws IOException, SourceAway {
        Map<String, String> fields = signature.sign(method, address);
        HttpURLConnection connection = send(method, address, fields);
        return connection.getResponseCode() == UNAUTHORIZED && signature.renew(fields)
                ? send(method, address, signature.sign(method, address))
                : connection;
    }

    private static HttpURLConnection send(String method, URI address, Map<String, String> fields) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        fields.forEach(connection::setRequestProperty);
        // A token is good wherever it is sent, unlike a signature.
        connection.setInstanceFollowRedirects(
                !fields.getOrDefault("Authorization", "").startsWith("Bearer "));
        return connection;
    }

    private static Trouble refusal(int status, @Nullable InputStream error) throws IOException {
        String text = "";
        if (error != null) {
            try (error) {
                text = new String(error.readNBytes(1 << 16), StandardCharsets.UTF_8);
            }
        }
        Matcher code = CODE.matcher(text);
        String why = status + (code.find() ? " " + code.group(1) : "");
        if (status >= SERVER_ERRORS || status == TOO_MANY || status == REQUEST_TIMEOUT) {
            return new SourceAway("The source answers " + why + ".");
        }
        return status == NOT_FOUND
                ? missing(why)
                : new Owner("The source refuses the credentials or the request (" + why + ").");
    }

    private static Owner missing(String why) {
        return new Owner("There is no such bucket or file at the source (" + why + ").");
    }

    private static SourceAway away(IOException gone) {
        return new SourceAway("The source cannot be reached: " + gone.getMessage());
    }
}
