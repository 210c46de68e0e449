package io.pilothouse.server;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.OptionList;
import io.pilothouse.store.StoreRefused;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A command about the data folder that takes a verb, perhaps what the verb is about, and options. */
final class Verbs {
    private final String command;
    private final List<Verb> verbs;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    /**
     * One verb of a command.
     *
     * @param word how it is typed; empty for the only one of a command
     * @param objects how the words after it are shown in the help, each a word; one in brackets may be left out
     * @param purpose what it does, as a sentence goes on after its name
     */
    record Verb(String word, List<String> objects, String purpose, Work work) {
        private boolean takes(int number) {
            long needed =
                    objects.stream().filter(object -> !object.startsWith("[")).count();
            return number >= needed && number <= objects.size();
        }

        private String usage(String command) {
            return "./pilothouse " + command + (word.isEmpty() ? "" : " " + word)
                    + objects.stream().map(object -> " " + object).collect(Collectors.joining());
        }
    }

    /** Does what a verb is for, to a data folder. */
    @FunctionalInterface
    interface Work {
        void run(List<String> objects, Config config) throws CommandRefused;
    }

    Verbs(String command, List<Verb> verbs, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.command = command;
        this.verbs = List.copyOf(verbs);
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** A command that does one thing, perhaps to something that is named after it. */
    static Verbs alone(
            String command,
            String object,
            String purpose,
            Work work,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err) {
        return new Verbs(command, List.of(new Verb("", List.of(object), purpose, work)), environment, out, err);
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            verbs.forEach(verb -> out.println(verb.usage(command) + " " + verb.purpose() + "."));
            out.println();
            out.print(OptionList.of(command));
            return Main.FINE;
        }
        if (verbs.getFirst().word().isEmpty()) {
            return run(verbs.getFirst(), arguments);
        }
        for (Verb verb : verbs) {
            if (!arguments.isEmpty() && arguments.getFirst().equals(verb.word())) {
                return run(verb, arguments.subList(1, arguments.size()));
            }
        }
        complain(command + " is followed by "
                + verbs.stream().map(Verb::word).collect(Collectors.joining(" or ")) + ": ./pilothouse " + command
                + " --help says more");
        return Main.MISUSED;
    }

    private int run(Verb verb, List<String> rest) {
        int objects = 0;
        while (objects < rest.size() && !rest.get(objects).startsWith("-")) {
            objects++;
        }
        if (!verb.takes(objects)) {
            complain("It is " + verb.usage(command) + ", with options after it");
            return Main.MISUSED;
        }
        ConfigSources.Outcome outcome = ConfigSources.read(command, rest.subList(objects, rest.size()), environment);
        outcome.misuses().forEach(this::complain);
        outcome.mistakes().forEach(this::complain);
        if (!outcome.misuses().isEmpty()) {
            return Main.MISUSED;
        }
        return outcome.mistakes().isEmpty()
                ? run(verb.work(), rest.subList(0, objects), outcome.config())
                : Main.REFUSED;
    }

    private int run(Work work, List<String> objects, Config config) {
        try {
            work.run(objects, config);
            return Main.FINE;
        } catch (CommandRefused e) {
            complain(e.sentence());
        } catch (StoreRefused | StoreUnavailable e) {
            complain(String.valueOf(e.getMessage()));
        }
        return Main.REFUSED;
    }

    private void complain(String sentence) {
        err.println(sentence.endsWith(".") ? sentence : sentence + ".");
    }
}
