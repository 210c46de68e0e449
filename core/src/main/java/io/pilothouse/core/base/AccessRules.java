package io.pilothouse.core.base;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules about who may reach what: access lists, protocol switches and private endpoint ids; pure. */
public record AccessRules(Faults faults) {
    /** Checks every entry of an access list under this path. */
    public void checkEntries(String path, List<IpAccessEntry> entries) {
        RuleBook.IP_ACCESS_LIST.check(path, entries.size(), faults);
        for (int i = 0; i < entries.size(); i++) {
            checkSource(path, i, entries.get(i));
            checkDescription(path + "[" + i + "].description", entries.get(i).description());
        }
    }

    private void checkSource(String path, int at, IpAccessEntry entry) {
        if (IpBlock.parse(entry.source()).isEmpty()) {
            blame(path + "[" + at + "].source", "must be an IPv4 or IPv6 address or CIDR block");
        }
    }

    /** Each address once, in the place and the spelling in which it came first. */
    public static List<IpAccessEntry> distinct(List<IpAccessEntry> entries) {
        Map<IpBlock, IpAccessEntry> known = new LinkedHashMap<>();
        entries.forEach(entry -> put(known, entry));
        return List.copyOf(known.values());
    }

    /** An address is the same however it is written; one that is there gets the description, if there is one. */
    private static void put(Map<IpBlock, IpAccessEntry> known, IpAccessEntry added) {
        IpBlock.parse(added.source())
                .ifPresent(block -> known.merge(
                        block,
                        added,
                        (before, after) -> after.description() == null
                                ? before
                                : new IpAccessEntry(before.source(), after.description())));
    }

    /** Takes entries out by their source, then puts the new ones in; a source that is there keeps its place. */
    public List<IpAccessEntry> change(List<IpAccessEntry> current, ListChange<IpAccessEntry> change) {
        checkEntries("ipAccessList.add", change.add());
        RuleBook.IP_ACCESS_LIST.check("ipAccessList.remove", change.remove().size(), faults);
        for (int i = 0; i < change.remove().size(); i++) {
            checkSource("ipAccessList.remove", i, change.remove().get(i));
        }
        Map<IpBlock, IpAccessEntry> known = new LinkedHashMap<>();
        current.forEach(entry -> put(known, entry));
        change.remove().forEach(entry -> IpBlock.parse(entry.source()).ifPresent(known::remove));
        change.add().forEach(entry -> put(known, entry));
        List<IpAccessEntry> next = List.copyOf(known.values());
        refuseMoreThan(RuleBook.IP_ACCESS_LIST, "ipAccessList.add", next);
        return next;
    }

    /** Takes private endpoint ids out, then puts new ones in, keeping the order in which they came. */
    public List<String> changeEndpoints(List<String> current, ListChange<String> change) {
        checkIdentifiers("privateEndpointIds.add", change.add());
        RuleBook.LIST.check("privateEndpointIds.remove", change.remove().size(), faults);
        List<String> next = new ArrayList<>(current);
        next.removeAll(change.remove());
        change.add().stream().filter(id -> !next.contains(id)).distinct().forEach(next::add);
        refuseMoreThan(RuleBook.LIST, "privateEndpointIds.add", next);
        return next;
    }

    public void checkIdentifiers(String path, List<String> identifiers) {
        RuleBook.LIST.check(path, identifiers.size(), faults);
        for (int i = 0; i < identifiers.size(); i++) {
            checkIdentifier(path + "[" + i + "]", identifiers.get(i));
        }
    }

    public void checkIdentifier(String path, String identifier) {
        RuleBook.IDENTIFIER.breach(identifier).ifPresent(message -> blame(path, message));
    }

    /**
     * Whether MySQL is on after these switches; the other protocols may be named as on, which they are. It can be
     * switched on only where it is {@code spoken}.
     */
    public boolean mysql(@Nullable List<EndpointSwitch> switches, boolean current, boolean spoken) {
        boolean mysql = current;
        Set<String> named = new HashSet<>();
        List<EndpointSwitch> all = switches == null ? List.of() : switches;
        for (int i = 0; i < all.size(); i++) {
            EndpointSwitch next = all.get(i);
            String path = "endpoints[" + i + "].protocol";
            if (!faults.has(path)) {
                RuleBook.PROTOCOLS.check(path, next.protocol(), faults);
            }
            if (!named.add(next.protocol())) {
                blame(path, next.protocol() + " is named twice");
            }
            if (next.protocol().equals(RuleBook.SWITCHED_PROTOCOL)) {
                mysql = next.enabled();
                if (mysql && !current && !spoken) {
                    blame(path, next.protocol() + " is not spoken by the ClickHouse of this service");
                }
            } else if (!next.enabled() && !faults.has("endpoints[" + i + "].enabled")) {
                blame(path, next.protocol() + " is always on");
            }
        }
        return mysql;
    }

    public void checkTags(String path, List<Tag> tags) {
        RuleBook.LIST.check(path, tags.size(), faults);
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < tags.size(); i++) {
            Tag tag = tags.get(i);
            String at = path + "[" + i + "]";
            RuleBook.TAG_KEY.breach(tag.key()).ifPresent(message -> blame(at + ".key", message));
            if (tag.value() != null) {
                RuleBook.TAG_VALUE.breach(tag.value()).ifPresent(message -> blame(at + ".value", message));
            }
            if (!keys.add(tag.key())) {
                blame(at + ".key", tag.key() + " is named twice");
            }
        }
    }

    /** Takes tags out by their key, then puts the new ones in; a key that is there keeps its place. */
    public List<Tag> changeTags(List<Tag> current, ListChange<Tag> change) {
        checkTags("tags.add", change.add());
        RuleBook.LIST.check("tags.remove", change.remove().size(), faults);
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
        RuleBook.DESCRIPTION.check(path, description, faults);
    }

    /** A value that could not be read is reported once. */
    private void blame(String path, String message) {
        if (!faults.has(path)) {
            faults.add(path, message);
        }
    }

    private void refuseMoreThan(SizeRule rule, String path, List<?> next) {
        if (next.size() > rule.max()) {
            faults.add(path, "would make more than " + rule.max() + " entries");
        }
    }
}
