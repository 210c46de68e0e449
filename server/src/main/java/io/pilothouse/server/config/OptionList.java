package io.pilothouse.server.config;

/** The options of a command, as {@code --help} prints them. */
public final class OptionList {
    private static final int WIDTH = 34;

    private OptionList() {}

    public static String of(String command) {
        StringBuilder text = new StringBuilder("Options of " + command + ", each also as a PILOTHOUSE_ variable"
                + (Options.CONFIG.commands().contains(command) ? " or a line of the file that --config names" : "")
                + ":\n\n");
        for (Option<?> option : Options.ALL) {
            if (option.commands().contains(command)) {
                String name = option.isFlag() ? option.flag() : option.variable();
                String left = "  " + name + (option.isSwitch() || !option.isFlag() ? "" : " " + option.metavar());
                text.append(left).append(" ".repeat(Math.max(1, WIDTH - left.length())));
                text.append(option.help());
                if (option.fallback() != null && !option.isSwitch()) {
                    text.append(" (").append(option.fallback()).append(')');
                }
                text.append('\n');
            }
        }
        return text.toString();
    }
}
