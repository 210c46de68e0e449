package io.pilothouse.core.backup;

import io.pilothouse.core.base.Faults;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in an S3-compatible store, read from the ways in which people write one. {@code region} is null where the
 * path does not name it; a prefix never begins or ends with a slash.
 */
public record BucketLocation(
        URI endpoint,
        String bucket,
        String prefix,
        @Nullable String region) {
    private static final String FIELD = "bucketPath";
    private static final int MAX_PORT = 65_535;
    private static final Pattern AMAZON = Pattern.compile(
            "(?:(?<bucket>.+)\\.)?s3(?:[.-](?<region>[a-z0-9-]+))?\\.(?<domain>amazonaws\\.com(?:\\.cn)?)");
    private static final String GOOGLE = "storage.googleapis.com";
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,220}[A-Za-z0-9]");
    private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_=.-]+");

    /** {@code reachable} says of a host whether it may be connected to. */
    static Optional<BucketLocation> parse(
            BucketProvider provider, String path, Predicate<String> reachable, Faults faults) {
        URI url;
        try {
            url = new URI(path);
        } catch (URISyntaxException malformed) {
            faults.add(FIELD, "is not a URL");
            return Optional.empty();
        }
        BucketLocation location = read(provider, url, faults);
        if (!faults.has(FIELD)) {
            if (!reachable.test(location.endpoint.getHost())) {
                faults.add(FIELD, "must not lead to a private, local or reserved address");
            } else if (!BUCKET.matcher(location.bucket).matches()) {
                faults.add(FIELD, "must name a bucket");
            } else if (!location.prefix.isEmpty()
                    && !Pattern.compile("/").splitAsStream(location.prefix).allMatch(SEGMENT.asMatchPredicate())) {
                faults.add(FIELD, "may have names of letters, digits, '_', '=', '.' and '-' behind the bucket only");
            }
        }
        return faults.has(FIELD) ? Optional.empty() : Optional.of(location);
    }

    private static BucketLocation read(BucketProvider provider, URI url, Faults faults) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
        String path = trimmed(url.getRawPath());
        boolean web = scheme.equals("http") || scheme.equals("https");
        if (!web && !scheme.equals(provider.scheme())) {
            faults.add(FIELD, "must begin with " + provider.scheme() + ":// or https://");
        } else if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
            faults.add(FIELD, "must be an address and a path, without credentials, query or fragment");
        } else if (web && (url.getHost() == null || url.getPort() == 0 || url.getPort() > MAX_PORT)) {
            faults.add(FIELD, "must name a host and, if any, a port from 1 to " + MAX_PORT);
        }
        if (faults.has(FIELD)) {
            return new BucketLocation(url, "", "", null);
        }
        Matcher amazon = AMAZON.matcher(authority.toLowerCase(Locale.ROOT));
        if (amazon.matches()) {
            return ofAmazon(amazon, path);
        }
        if (web || authority.equalsIgnoreCase(GOOGLE)) {
            URI endpoint = URI.create((web ? scheme : "https") + "://" + authority);
            return new BucketLocation(endpoint, first(path), rest(path), null);
        }
        return provider == BucketProvider.AWS
                ? new BucketLocation(amazon(null, "amazonaws.com"), authority, path, null)
                : new BucketLocation(URI.create("https://" + GOOGLE), authority, path, null);
    }

    private static BucketLocation ofAmazon(Matcher host, String path) {
        String region = host.group("region");
        URI endpoint = amazon(region, host.group("domain"));
        String bucket = host.group("bucket");
        return bucket == null
                ? new BucketLocation(endpoint, first(path), rest(path), region)
                : new BucketLocation(endpoint, bucket, path, region);
    }

    private static URI amazon(@Nullable String region, String domain) {
        return URI.create("https://s3." + (region == null ? "us-east-1" : region) + "." + domain);
    }

    /** The same place once its region is known; Amazon has a host for each. */
    public BucketLocation in(String found) {
        Matcher amazon = AMAZON.matcher(endpoint.getHost());
        URI host = amazon.matches() ? amazon(found, amazon.group("domain")) : endpoint;
        return new BucketLocation(host, bucket, prefix, found);
    }

    /** The path of an object at the endpoint; all of its characters are such that a URL may have them. */
    public String pathOf(String name) {
        return "/" + bucket + "/" + (prefix.isEmpty() ? "" : prefix + "/") + name;
    }

    private static String trimmed(String path) {
        int start = 0;
        int end = path.length();
        while (start < end && path.charAt(start) == '/') {
            start++;
        }
        while (end > start && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(start, end);
    }

    private static String first(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    private static String rest(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? "" : trimmed(path.substring(slash));
    }
}
