package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.secret.AwsSignature;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Asks an S3-compatible server which files there are, a thousand at a time and in the order of their keys. */
final class ObjectListing {
    private static final byte[] NO_BODY = {};
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;
    private static final Pattern CODE = Pattern.compile("<Code>(\\w+)</Code>");

    private final ObjectPlace place;
    private final @Nullable AwsSignature signature;
    private final Clock clock;

    /** A file, and what tells one version of it from another. */
    record Found(String key, String etag, long size) {}

    /** One page; a null {@code next} ends the list. */
    record Page(List<Found> files, @Nullable String next) {}

    ObjectListing(ObjectPlace place, @Nullable AwsSignature signature, Clock clock) {
        this.place = place;
        this.signature = signature;
        this.clock = clock;
    }

    /** The page that a token leads to, or the first with keys after {@code startAfter}. */
    Page page(@Nullable String token, String startAfter) throws Trouble {
        TreeMap<String, String> query = new TreeMap<>();
        query.put("list-type", "2");
        query.put("encoding-type", "url");
        query.put("prefix", place.glob().prefix());
        if (token != null) {
            query.put("continuation-token", token);
        } else if (!startAfter.isEmpty()) {
            query.put("start-after", startAfter);
        }
        StringBuilder target = new StringBuilder();
        query.forEach((name, value) -> target.append(target.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(ObjectPlace.encodedAll(value)));
        try {
            HttpURLConnection connection = ask("GET", URI.create(place.base() + "?" + target));
            try (InputStream in = connection.getInputStream()) {
                return read(in);
            }
        } catch (IOException gone) {
            throw away(gone);
        } catch (XMLStreamException notAList) {
            throw new Owner("The source does not answer with a list of files (" + notAList.getMessage() + ").");
        }
    }

    /** The one file of a URL without a pattern, on any server of the web. */
    Found head() throws Trouble {
        try {
            return found(place.original(), ask("HEAD", URI.create(place.original())));
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    /** Whether there is a file under this key, as far as the credentials may know. */
    boolean has(String key) throws Trouble {
        try {
            HttpURLConnection connection = send("HEAD", URI.create(place.url(key)));
            return connection.getResponseCode() != NOT_FOUND;
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    /** The file under this key as it is now; empty where there is none. */
    Optional<Found> find(String key) throws Trouble {
        try {
            URI address = URI.create(key.equals(place.original()) ? key : place.url(key));
            HttpURLConnection connection = send("HEAD", address);
            int status = connection.getResponseCode();
            if (status == NOT_FOUND) {
                return Optional.empty();
            }
            if (status != OK) {
                throw refusal(status, connection.getErrorStream());
            }
            return Optional.of(found(key, connection));
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    private static Found found(String key, HttpURLConnection connection) {
        String etag = connection.getHeaderField("ETag");
        String version = etag != null ? etag : String.valueOf(connection.getHeaderField("Last-Modified"));
        return new Found(key, version.replace("\"", ""), connection.getContentLengthLong());
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
        if (signature != null) {
            signature.signHashed(method, address, NO_BODY, clock.instant()).forEach(connection::setRequestProperty);
        }
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

    private static Page read(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        XMLStreamReader xml = factory.createXMLStreamReader(in);
        List<Found> files = new ArrayList<>();
        Map<String, String> file = new TreeMap<>();
        String next = null;
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamReader.START_ELEMENT -> {
                    switch (xml.getLocalName()) {
                        case "Contents" -> file.clear();
                        case "Key", "ETag", "Size" -> file.put(xml.getLocalName(), xml.getElementText());
                        case "NextContinuationToken" -> next = xml.getElementText();
                        default -> {}
                    }
                }
                case XMLStreamReader.END_ELEMENT -> {
                    if (xml.getLocalName().equals("Contents")) {
                        files.add(found(file));
                    }
                }
                default -> {}
            }
        }
        return new Page(files, next);
    }

    private static Found found(Map<String, String> file) {
        return new Found(
                URLDecoder.decode(file.getOrDefault("Key", ""), StandardCharsets.UTF_8),
                file.getOrDefault("ETag", "").replace("\"", ""),
                Long.parseLong(file.getOrDefault("Size", "0")));
    }
}
