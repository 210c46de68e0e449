package io.pilothouse.core.base;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules about who may reach what: access lists, protocol switches and private endpoint ids; pure. */
public record AccessRules(RuleBook rules, Faults faults) {
    private static final Pattern TAG_KEY = Pattern.compile("[a-zA-Z0-9._-]{1,128}");
    private static final Pattern TAG_VALUE = Pattern.compile("[a-zA-Z0-9._-]{0,256}");

    /** Checks every entry of an access list under this path. */
    public void checkEntries(String path, List<IpAccessEntry> entries) {
        requireCount(path, entries, rules.ipAccessEntries());
        for (int i = 0; i < entries.size(); i++) {
            IpAccessEntry entry = entries.get(i);
            String at = path + "[" + i + "]";
            if (IpBlock.parse(entry.source()).isEmpty()) {
                blame(at + ".source", "must be an IPv4 or IPv6 address or CIDR block");
            }
            checkDescription(at + ".description", entry.description());
        }
    }

    /** Takes entries out by their source, then puts the new ones in; a source that is there keeps its place. */
    public List<IpAccessEntry> change(List<IpAccessEntry> current, ListChange<IpAccessEntry> change) {
        checkEntries("ipAccessList.add", change.add());
        requireCount("ipAccessList.remove", change.remove(), rules.ipAccessEntries());
        Set<String> leaving = new HashSet<>();
        change.remove().forEach(entry -> leaving.add(entry.source()));
        List<IpAccessEntry> next = new ArrayList<>(current);
        next.removeIf(entry -> leaving.contains(entry.source()));
        for (IpAccessEntry added : change.add()) {
            int at = sources(next).indexOf(added.source());
            if (at < 0) {
                next.add(added);
            } else {
                next.set(at, added);
            }
        }
        if (next.size() > rules.ipAccessEntries()) {
            faults.add("ipAccessList.add", "would make more than " + rules.ipAccessEntries() + " entries");
        }
        return next;
    }

    /** Takes private endpoint ids out, then puts new ones in, keeping the order in which they came. */
    public List<String> changeEndpoints(List<String> current, ListChange<String> change) {
        checkIdentifiers("privateEndpointIds.add", change.add());
        requireCount("privateEndpointIds.remove", change.remove(), rules.listEntries());
        List<String> next = new ArrayList<>(current);
        next.removeAll(change.remove());
        change.add().stream().filter(id -> !next.contains(id)).distinct().forEach(next::add);
        if (next.size() > rules.listEntries()) {
            faults.add("privateEndpointIds.add", "would make more than " + rules.listEntries() + " entries");
        }
        return next;
    }

    public void checkIdentifiers(String path, List<String> identifiers) {
        requireCount(path, identifiers, rules.listEntries());
        for (int i = 0; i < identifiers.size(); i++) {
            checkIdentifier(path + "[" + i + "]", identifiers.get(i));
        }
    }

    public void checkIdentifier(String path, String identifier) {
        new TextRule(rules.identifierLength(), TextRule.Alphabet.PRINTABLE)
                .breach(identifier)
                .ifPresent(message -> blame(path, message));
    }

    /** Whether MySQL is on after these switches; the other protocols cannot be switched. */
    public boolean mysql(@Nullable List<EndpointSwitch> switches, boolean current) {
        boolean mysql = current;
        Set<String> named = new HashSet<>();
        List<EndpointSwitch> all = switches == null ? List.of() : switches;
        for (int i = 0; i < all.size(); i++) {
            EndpointSwitch next = all.get(i);
            String path = "endpoints[" + i + "].protocol";
            if (rules.fixedProtocols().contains(next.protocol())) {
                blame(path, next.protocol() + " is always on and cannot be switched");
            } else if (!faults.has(path)) {
                RuleBook.requireOneOf(rules.switchableProtocols(), path, next.protocol(), faults);
            }
            if (!named.add(next.protocol())) {
                blame(path, next.protocol() + " is named twice");
            }
            mysql = next.enabled();
        }
        return mysql;
    }

    public void checkTags(String path, List<Tag> tags) {
        requireCount(path, tags, rules.listEntries());
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < tags.size(); i++) {
            Tag tag = tags.get(i);
            String at = path + "[" + i + "]";
            if (!TAG_KEY.matcher(tag.key()).matches()) {
                blame(at + ".key", "must be 1 to 128 of letters, digits, '.', '_' and '-'");
            }
            if (tag.value() != null && !TAG_VALUE.matcher(tag.value()).matches()) {
                blame(at + ".value", "must be at most 256 of letters, digits, '.', '_' and '-'");
            }
            if (!keys.add(tag.key())) {
                blame(at + ".key", tag.key() + " is named twice");
            }
        }
    }

    /** Takes tags out by their key, then puts the new ones in; a key that is there keeps its place. */
    public List<Tag> changeTags(List<Tag> current, ListChange<Tag> change) {
        checkTags("tags.add", change.add());
        requireCount("tags.remove", change.remove(), rules.listEntries());
        Set<String> leaving = new HashSet<>();
        change.remove().forEach(tag -> leaving.add(tag.key()));
        List<Tag> next = new ArrayList<>(current);
        next.removeIf(tag -> leaving.contains(tag.key()));
        for (Tag added : change.add()) {
            int at = next.stream().map(Tag::key).toList().indexOf(added.key());
            if (at < 0) {
                next.add(added);
            } else {
                next.set(at, added);
            }
        }
        return next;
    }

    public void checkDescription(String path, @Nullable String description) {
        if (description != null && description.codePointCount(0, description.length()) > rules.descriptionLength()) {
            blame(path, "must be at most " + rules.descriptionLength() + " characters");
        }
    }

    /** A value that could not be read is reported once. */
    private void blame(String path, String message) {
        if (!faults.has(path)) {
            faults.add(path, message);
        }
    }

    private void requireCount(String path, List<?> list, int most) {
        if (list.size() > most) {
            faults.add(path, "must have at most " + most + " entries");
        }
    }

    private static List<String> sources(List<IpAccessEntry> entries) {
        return entries.stream().map(IpAccessEntry::source).toList();
    }
}
