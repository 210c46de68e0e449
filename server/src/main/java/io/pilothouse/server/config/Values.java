package io.pilothouse.server.config;

import io.pilothouse.core.base.IpBlock;
import io.pilothouse.core.base.Rule;
import io.pilothouse.core.base.RuleBook;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the texts of settings; a parser describes an invalid text without repeating it. */
final class Values {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,7})([MG])");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final int MAX_DOMAIN_LENGTH = 253;
    private static final Pattern DOMAIN =
            Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");
    private static final Pattern VISIBLE = Pattern.compile("[!-~]{1,256}");
    private static final Pattern URL = Pattern.compile("https?://[A-Za-z0-9.:\\[\\]-]+(/[A-Za-z0-9._~-]+)*");

    private Values() {}

    static Path path(String text) throws BadValue {
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            // Reported below, like an empty one.
        }
        throw new BadValue("must be a path");
    }

    /** A whole number with its unit, such as 500ms, 2s, 5m or 1h. */
    static Duration duration(String text) throws BadValue {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new BadValue("must be a whole number and a unit, such as 500ms, 2s or 5m");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    /** A number of binary megabytes or gigabytes, in bytes. */
    static long bytes(String text) throws BadValue {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new BadValue("must be a whole number and a unit (M or G), such as 512M or 12G");
        }
        return Long.parseLong(matcher.group(1)) << (matcher.group(2).equals("M") ? 20 : 30);
    }

    static boolean truth(String text) throws BadValue {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new BadValue("must be true or false");
        };
    }

    static String email(String text) throws BadValue {
        return keeping(RuleBook.EMAIL, text);
    }

    static String displayName(String text) throws BadValue {
        return keeping(RuleBook.DISPLAY_NAME, text);
    }

    private static String keeping(Rule.OfText rule, String text) throws BadValue {
        Optional<String> breach = rule.breach(text);
        if (breach.isPresent()) {
            throw new BadValue(breach.get());
        }
        return text;
    }

    static String domain(String text) throws BadValue {
        if (text.length() > MAX_DOMAIN_LENGTH || !DOMAIN.matcher(text).matches()) {
            throw new BadValue("must be a domain name in lower case, such as db.example.com");
        }
        return text;
    }

    /** Addresses and host names. */
    static List<String> names(String text) throws BadValue {
        List<String> names = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            String stripped = name.strip();
            boolean address =
                    stripped.indexOf('/') < 0 && IpBlock.parse(stripped).isPresent();
            if (!address && !DOMAIN.matcher(stripped).matches()) {
                throw new BadValue("must be addresses or host names in lower case, with commas between");
            }
            names.add(stripped);
        }
        return List.copyOf(names);
    }

    /** Addresses, CIDR blocks and host names, with commas between. */
    static List<String> places(String text) throws BadValue {
        List<String> places = new ArrayList<>();
        for (String place : text.split(",", -1)) {
            String stripped = place.strip();
            if (IpBlock.parse(stripped).isEmpty() && !DOMAIN.matcher(stripped).matches()) {
                throw new BadValue("must be addresses, CIDR blocks or host names in lower case, with commas between");
            }
            places.add(stripped);
        }
        return List.copyOf(places);
    }

    /** Addresses and CIDR blocks. */
    static List<IpBlock> blocks(String text) throws BadValue {
        List<IpBlock> blocks = new ArrayList<>();
        for (String block : text.split(",", -1)) {
            blocks.add(IpBlock.parse(block.strip())
                    .orElseThrow(() -> new BadValue("must be addresses or CIDR blocks, with commas between")));
        }
        return List.copyOf(blocks);
    }

    /** An http or https URL without query and fragment, and without a slash at the end. */
    static String url(String text) throws BadValue {
        if (!URL.matcher(text).matches()) {
            throw new BadValue("must be a URL such as https://alerts.example.com, without a slash at the end");
        }
        return text;
    }

    /** A secret of another system. */
    static String visible(String text) throws BadValue {
        if (!VISIBLE.matcher(text).matches()) {
            throw new BadValue("must be at most 256 visible ASCII characters");
        }
        return text;
    }

    static UUID uuid(String text) throws BadValue {
        if (!UUID_TEXT.matcher(text).matches()) {
            throw new BadValue("must be a UUID");
        }
        return UUID.fromString(text);
    }

    /** An amount of credits. */
    static double price(String text) throws BadValue {
        if (!text.matches("[0-9]{1,6}(\\.[0-9]{1,6})?")) {
            throw new BadValue("must be an amount such as 0.25");
        }
        return Double.parseDouble(text);
    }

    /** A whole number in a range. */
    static Option.Reader<Integer> number(int min, int max) {
        return text -> {
            if (text.matches("[0-9]{1,9}")) {
                int number = Integer.parseInt(text);
                if (number >= min && number <= max) {
                    return number;
                }
            }
            throw new BadValue("must be a whole number from " + min + " to " + max);
        };
    }

    /** One of a few words. */
    static Option.Reader<String> word(List<String> words) {
        return text -> {
            if (!words.contains(text)) {
                throw new BadValue("must be one of " + String.join(", ", words));
            }
            return text;
        };
    }

    /** A constant by its name in lower case. */
    static <E extends Enum<E>> Option.Reader<E> constant(List<E> constants) {
        return text -> {
            for (E constant : constants) {
                if (constant.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return constant;
                }
            }
            throw new BadValue("must be one of "
                    + String.join(
                            ", ",
                            constants.stream()
                                    .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                                    .toList()));
        };
    }

    /** Letters and digits, between these lengths. */
    static Option.Reader<String> lettersAndDigits(int min, int max) {
        return text -> {
            if (!text.matches("[A-Za-z0-9]{" + min + "," + max + "}")) {
                String length = min == max ? Integer.toString(min) : min + " to " + max;
                throw new BadValue("must be " + length + " letters and digits (A-Z, a-z, 0-9)");
            }
            return text;
        };
    }
}
