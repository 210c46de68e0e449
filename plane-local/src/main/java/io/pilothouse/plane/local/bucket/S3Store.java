package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.core.backup.BucketLocation;
import io.pilothouse.outgoing.OutgoingHttp.Reply;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A bucket that speaks S3, of any provider. Large files go in parts, and come back in ranges. */
final class S3Store implements ObjectStore {
    private static final String REGION = "x-amz-bucket-region";
    private static final String FIRST_REGION = "us-east-1";
    private static final int MAX_PARTS = 9_000;
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final Pattern UPLOAD = Pattern.compile("<UploadId>([^<]{1,1024})</UploadId>");
    private static final Pattern BEGUN =
            Pattern.compile("<Key>([^<]{1,1024})</Key>\\s*<UploadId>([^<]{1,1024})</UploadId>");
    private static final Pattern TOTAL = Pattern.compile("bytes \\d+-\\d+/(\\d{1,18})");
    private static final byte[] NOTHING = {};

    private final StoreClient client;
    private final KeySource keys;
    private volatile BucketLocation location;

    /** The key to sign the next request with. */
    interface KeySource {
        Login.Key now() throws BucketFault;
    }

    S3Store(StoreClient client, BucketLocation location, KeySource keys) {
        this.client = client;
        this.location = location;
        this.keys = keys;
    }

    @Override
    public OptionalLong size(String name) throws BucketFault {
        Reply reply = ask("HEAD", location.pathOf(name), Map.of(), NOTHING, Map.of());
        if (reply.status() == OK) {
            return OptionalLong.of(Long.parseLong(reply.fields().getOrDefault("Content-Length", "0")));
        }
        // Credentials that may not list a bucket are refused for an object that is not there.
        if (reply.status() == NOT_FOUND || reply.status() == FORBIDDEN) {
            return OptionalLong.empty();
        }
        throw StoreClient.refusal(reply);
    }

    @Override
    public void put(String name, Path file) throws BucketFault {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            if (in.length() <= client.partBytes()) {
                require(ask("PUT", location.pathOf(name), Map.of(), bytes(in, (int) in.length()), Map.of()));
                return;
            }
            abortBegun(name);
            putInParts(name, in);
        } catch (IOException e) {
            throw new BucketFault("the file of the backup cannot be read", e);
        }
    }

    private void putInParts(String name, RandomAccessFile in) throws BucketFault, IOException {
        String id =
                found(UPLOAD, require(ask("POST", location.pathOf(name), Map.of("uploads", ""), NOTHING, Map.of())));
        boolean complete = false;
        try {
            long length = in.length();
            int part = (int) Math.max(client.partBytes(), length / MAX_PARTS + 1);
            List<String> tags = new ArrayList<>();
            for (long at = 0; at < length; at += part) {
                byte[] bytes = bytes(in, (int) Math.min(part, length - at));
                Map<String, String> query = Map.of("partNumber", Integer.toString(tags.size() + 1), "uploadId", id);
                Reply reply = require(ask("PUT", location.pathOf(name), query, bytes, Map.of()));
                tags.add(reply.fields().getOrDefault("ETag", ""));
            }
            Reply end = require(ask("POST", location.pathOf(name), Map.of("uploadId", id), parts(tags), Map.of()));
            // A store may find out after it has begun to answer.
            if (!StoreClient.code(end).isEmpty()) {
                throw StoreClient.refusal(end);
            }
            complete = true;
        } finally {
            if (!complete) {
                abort(name, id);
            }
        }
    }

    private static byte[] parts(List<String> tags) {
        StringBuilder text = new StringBuilder("<CompleteMultipartUpload>");
        for (int i = 0; i < tags.size(); i++) {
            text.append("<Part><PartNumber>").append(i + 1).append("</PartNumber><ETag>");
            text.append(tags.get(i).replace("\"", "&quot;")).append("</ETag></Part>");
        }
        return text.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What a control plane that was killed has begun is paid for and seen nowhere. */
    private void abortBegun(String name) {
        try {
            String key = location.pathOf(name).substring(location.bucket().length() + 2);
            Reply reply = ask("GET", "/" + location.bucket(), Map.of("prefix", key, "uploads", ""), NOTHING, Map.of());
            Matcher begun = BEGUN.matcher(reply.body());
            while (begun.find()) {
                if (begun.group(1).equals(key)) {
                    abort(name, begun.group(2));
                }
            }
        } catch (BucketFault notAllowed) {
            // Few credentials may list them; a rule of the bucket for unfinished uploads does it too.
        }
    }

    private void abort(String name, String id) {
        try {
            ask("DELETE", location.pathOf(name), Map.of("uploadId", id), NOTHING, Map.of());
        } catch (BucketFault gone) {
            // The fault that led here is the one to report.
        }
    }

    @Override
    public void get(String name, Path file) throws BucketFault {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(0);
            long total = Long.MAX_VALUE;
            while (out.length() < total) {
                long from = out.length();
                Map<String, String> range = Map.of("Range", "bytes=" + from + "-" + (from + client.partBytes() - 1));
                Reply reply = require(ask("GET", location.pathOf(name), Map.of(), NOTHING, range));
                Matcher size = TOTAL.matcher(reply.fields().getOrDefault("Content-Range", ""));
                byte[] bytes = reply.bytes();
                boolean part = reply.status() == PARTIAL && size.matches() && bytes.length > 0;
                if (!part && from > 0) {
                    throw new BucketFault("its store does not give the rest of the backup");
                }
                total = part ? Long.parseLong(size.group(1)) : bytes.length;
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new BucketFault("the backup cannot be written to this machine's disk", e);
        }
    }

    @Override
    public void delete(String name) throws BucketFault {
        Reply reply = ask("DELETE", location.pathOf(name), Map.of(), NOTHING, Map.of());
        if (reply.status() != NOT_FOUND) {
            require(reply);
        }
    }

    private Reply ask(String method, String path, Map<String, String> query, byte[] body, Map<String, String> more)
            throws BucketFault {
        Reply reply = askThere(method, path, query, body, more);
        String region = reply.fields().get(REGION);
        if (reply.status() >= 300
                && region != null
                && !region.equals(location.region())
                && region.matches("[a-z0-9-]{1,32}")) {
            location = location.in(region);
            return askThere(method, path, query, body, more);
        }
        return reply;
    }

    private Reply askThere(String method, String path, Map<String, String> query, byte[] body, Map<String, String> more)
            throws BucketFault {
        BucketLocation there = location;
        String text = new TreeMap<>(query)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                        .collect(Collectors.joining("&"));
        URI url = URI.create(there.endpoint() + path.replace("=", "%3D") + (text.isEmpty() ? "" : "?" + text));
        String region = there.region() == null ? FIRST_REGION : there.region();
        return client.ask(method, url, body, now -> {
            Map<String, String> headers = keys.now().signature(region, "s3").signHashed(method, url, body, now);
            headers.putAll(more);
            return headers;
        });
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static Reply require(Reply reply) throws BucketFault {
        if (reply.status() < OK || reply.status() > PARTIAL) {
            throw StoreClient.refusal(reply);
        }
        return reply;
    }

    private static String found(Pattern pattern, Reply reply) throws BucketFault {
        Matcher matcher = pattern.matcher(reply.body());
        if (!matcher.find()) {
            throw new BucketFault("its store does not answer as S3 does");
        }
        return matcher.group(1);
    }

    private static byte[] bytes(RandomAccessFile in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
