package io.pilothouse.server.config;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.quota.Quota;
import io.pilothouse.core.service.ServiceDefaults;
import io.pilothouse.server.log.Escaped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The valid settings of one run: an invalid one has already stopped the start. */
public final class Config {
    private static final List<Option<HostPort>> LISTENERS =
            List.of(Options.LISTEN, Options.ALERTS_LISTEN, Options.QUERY_LISTEN, Options.ADMIN_LISTEN);

    private static final Pattern PASSWORD_IN_URL = Pattern.compile("(//[^/@:]*):.*@");

    private final Map<Option<?>, SourcedText> settings;

    /** A setting's text, and its source in words that point a person there. */
    record SourcedText(String text, String source) {
        @Override
        public String toString() {
            return "SourcedText[" + source + "]";
        }
    }

    private Config(Map<Option<?>, SourcedText> settings) {
        this.settings = Map.copyOf(settings);
    }

    /**
     * Takes settings whose texts were found; adds a sentence for each one that is invalid by itself or in combination
     * with another.
     */
    static Config of(Map<Option<?>, SourcedText> settings, List<String> mistakes) {
        Map<Option<?>, SourcedText> readable = new HashMap<>(settings);
        for (Option<?> option : Options.ALL) {
            SourcedText setting = settings.get(option);
            try {
                if (setting != null) {
                    option.reader().read(setting.text());
                }
            } catch (BadValue e) {
                mistakes.add(sentence(option, setting, e.requirement()));
                readable.remove(option);
            }
        }
        Config config = new Config(readable);
        config.checkAddresses(mistakes);
        config.checkEmulator(mistakes);
        config.checkRegions(mistakes);
        checkFirstKey(settings, mistakes);
        checkOne(settings, StoreOptions.PASSWORD, StoreOptions.PASSWORD_FILE, "the password of the store", mistakes);
        checkOne(settings, StoreOptions.KEY_TEXT, StoreOptions.KEY, "the key of the store", mistakes);
        return config;
    }

    /** The value of a setting that has a default. */
    public <T> T get(Option<T> option) {
        return find(option).orElseThrow(() -> new IllegalStateException(option.key() + " has no default"));
    }

    /** The value of a setting; empty when it was not given and has no default. */
    public <T> Optional<T> find(Option<T> option) {
        SourcedText setting = settings.get(option);
        String text = setting == null ? option.fallback() : setting.text();
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(option.reader().read(text));
        } catch (BadValue e) {
            throw new IllegalStateException("The value of " + option.key() + " was read before", e);
        }
    }

    /** The default place of new services. */
    public ServiceDefaults serviceDefaults() {
        Map<String, String> regions = new HashMap<>();
        Options.DEFAULT_REGIONS.forEach((provider, option) -> regions.put(provider, get(option)));
        return new ServiceDefaults(get(Options.DEFAULT_PROVIDER), regions);
    }

    /** The limits of what organizations may have; what is not limited is not there. */
    public Map<Quota, Integer> quotas() {
        Map<Quota, Integer> quotas = new EnumMap<>(Quota.class);
        find(Options.QUOTA_SERVICES).ifPresent(most -> quotas.put(Quota.SERVICES, most));
        find(Options.QUOTA_REPLICAS).ifPresent(most -> quotas.put(Quota.REPLICAS, most));
        return quotas;
    }

    public RuleBook rules() {
        return RuleBook.of(get(Options.RULES));
    }

    /** Whether the console is to be shown, on a listener of its own. */
    public boolean consoleIsApart() {
        return get(Options.CONSOLE) && find(Options.CONSOLE_LISTEN).isPresent();
    }

    private List<Option<HostPort>> listeners() {
        List<Option<HostPort>> listeners = new ArrayList<>(LISTENERS);
        if (consoleIsApart()) {
            listeners.add(Options.CONSOLE_LISTEN);
        }
        return listeners;
    }

    /** The settings of listeners that other machines can reach, each with its address. */
    public List<String> reachable() {
        List<String> open = new ArrayList<>();
        List<Option<HostPort>> listeners = listeners();
        if (!get(LocalPlaneOptions.PIPE_RUNNER).connect().isEmpty()) {
            listeners.add(LocalPlaneOptions.PIPE_TASKS_LISTEN);
        }
        for (Option<HostPort> option : listeners) {
            HostPort hostPort = get(option);
            try {
                if (!hostPort.address().isLoopbackAddress()) {
                    open.add(option.key() + " " + hostPort);
                }
            } catch (UnknownHostException e) {
                // It was looked up before; who it is now is not known.
                open.add(option.key() + " " + hostPort);
            }
        }
        InetAddress gateway = get(LocalPlaneOptions.GATEWAY_LISTEN);
        if (!gateway.isLoopbackAddress()) {
            open.add(LocalPlaneOptions.GATEWAY_LISTEN.key() + " " + gateway.getHostAddress());
        }
        return open;
    }

    private void checkAddresses(List<String> mistakes) {
        boolean allowed = get(Options.INSECURE_LISTEN)
                || settings.containsKey(Options.TLS_CERT)
                || settings.containsKey(Options.TLS_NAMES);
        for (Option<HostPort> option : listeners()) {
            HostPort hostPort = get(option);
            try {
                if (!allowed && !hostPort.address().isLoopbackAddress()) {
                    mistakes.add(sentence(
                            option,
                            "would send secrets without TLS to where other machines can reach: choose a loopback"
                                    + " address such as 127.0.0.1, or allow it with "
                                    + Options.INSECURE_LISTEN.flag()));
                }
            } catch (UnknownHostException e) {
                mistakes.add(sentence(option, "names a host that cannot be looked up"));
            }
        }
    }

    /** A stolen key of an operator could change the time of all, and another process would go by its own. */
    private void checkEmulator(List<String> mistakes) {
        if (!get(Options.EMULATOR)) {
            return;
        }
        List<String> open = reachable();
        if (!open.isEmpty()) {
            mistakes.add(sentence(
                    Options.EMULATOR,
                    "is for this machine alone, and others can reach " + String.join(", ", open)
                            + ": choose loopback addresses such as 127.0.0.1"));
        }
        if (get(StoreOptions.SHARED)) {
            mistakes.add(sentence(
                    Options.EMULATOR,
                    "is for a process that has the store to itself: leave out " + StoreOptions.SHARED.flag()));
        }
    }

    private void checkRegions(List<String> mistakes) {
        Edition edition = get(Options.RULES);
        RuleBook rules = rules();
        new TreeMap<>(Options.DEFAULT_REGIONS).forEach((provider, option) -> {
            if (!rules.regionsOf(provider).words().contains(get(option))) {
                mistakes.add(sentence(option, "is not a region of the " + edition.word() + " rules"));
            }
        });
    }

    private static void checkOne(
            Map<Option<?>, SourcedText> given, Option<?> text, Option<?> file, String what, List<String> mistakes) {
        if (given.containsKey(text) && given.containsKey(file)) {
            mistakes.add(text.variable() + " and " + file.key() + " are given: " + what + " comes from one of them");
        }
    }

    /** Half a key would be useless. */
    private static void checkFirstKey(Map<Option<?>, SourcedText> given, List<String> mistakes) {
        List<Option<?>> missing = new ArrayList<>();
        for (Option<?> option : List.of(Options.BOOTSTRAP_KEY_ID, Options.BOOTSTRAP_KEY_SECRET)) {
            if (!given.containsKey(option)) {
                missing.add(option);
            }
        }
        if (missing.size() == 1) {
            mistakes.add(missing.getFirst().variable()
                    + " is missing: the id and the secret of the first key are given together or not at all");
        }
    }

    private String sentence(Option<?> option, String problem) {
        SourcedText setting = settings.get(option);
        return setting == null ? option.key() + " " + problem : sentence(option, setting, problem);
    }

    private static String sentence(Option<?> option, SourcedText setting, String problem) {
        // A password that somebody put into an address is still one.
        String text = PASSWORD_IN_URL.matcher(setting.text()).replaceAll("$1:***@");
        String shown = option.isSecret() ? "" : " \"" + Escaped.text(text) + "\"";
        return setting.source() + shown + " " + problem;
    }

    /** Lists the settings that were given without their values, as some are secrets. */
    @Override
    public String toString() {
        return "Config" + settings.keySet().stream().map(Option::key).sorted().toList();
    }
}
