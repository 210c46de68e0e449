package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where files are: a server, a bucket of it in the path or in the host's name, and a pattern for keys.
 *
 * @param base the address that a key is appended to, ending in a slash
 * @param original the whole address as it was given
 */
record ObjectPlace(String base, String bucket, FileGlob glob, String region, String original) {
    private static final Pattern ADDRESS = Pattern.compile("(https?)://([^/]+)/(.*)", Pattern.DOTALL);
    private static final Pattern IN_THE_HOST = Pattern.compile(
            "(.+?)\\.(s3[.-].*|storage\\.googleapis\\.com|[a-z0-9-]+\\.digitaloceanspaces\\.com)(:\\d+)?");
    private static final Pattern REGION = Pattern.compile(".*s3[.-]([a-z]+(?:-[a-z]+)+-\\d)\\..*");
    private static final String USUAL_REGION = "us-east-1";

    static ObjectPlace of(String url) throws Owner {
        String http = url.startsWith("s3://") ? amazon(url.substring("s3://".length())) : url;
        Matcher matcher = ADDRESS.matcher(http);
        if (!matcher.matches()) {
            throw new Owner("The URL of the source must begin with http://, https:// or s3:// and have a path.");
        }
        String host = matcher.group(2);
        String path = matcher.group(3);
        Matcher regional = REGION.matcher(host);
        String region = regional.matches() ? regional.group(1) : USUAL_REGION;
        Matcher named = IN_THE_HOST.matcher(host);
        if (named.matches()) {
            return new ObjectPlace(
                    matcher.group(1) + "://" + host + "/", named.group(1), FileGlob.of(decoded(path)), region, http);
        }
        int slash = path.indexOf('/');
        String bucket = slash < 0 ? path : path.substring(0, slash);
        String key = slash < 0 ? "" : path.substring(slash + 1);
        return new ObjectPlace(
                matcher.group(1) + "://" + host + "/" + bucket + "/", bucket, FileGlob.of(decoded(key)), region, http);
    }

    private static String amazon(String bucketAndKey) {
        int slash = bucketAndKey.indexOf('/');
        return slash < 0
                ? "https://" + bucketAndKey + ".s3.amazonaws.com/"
                : "https://" + bucketAndKey.substring(0, slash) + ".s3.amazonaws.com" + bucketAndKey.substring(slash);
    }

    /** A plus sign is a plus sign in a path. */
    private static String decoded(String path) {
        return path.indexOf('%') < 0 ? path : URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The address of one file. */
    String url(String key) {
        return base + encoded(key);
    }

    static String encoded(String key) {
        return encodedAll(key).replace("%2F", "/");
    }

    /** As the signature wants it: everything but letters, digits and four signs. */
    static String encodedAll(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
