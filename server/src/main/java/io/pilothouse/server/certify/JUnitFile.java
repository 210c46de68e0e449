package io.pilothouse.server.certify;

import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.client.CommandRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A report as JUnit XML, which build servers show: one suite for the module, one test case for each step. */
final class JUnitFile {
    private final Path file;

    private JUnitFile(Path file) {
        this.file = file;
    }

    /** Refuses a place that cannot be written before minutes were spent on the report. */
    static JUnitFile at(Path file) throws CommandRefused {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw new CommandRefused("The report " + file + " cannot be written there.");
        }
        return new JUnitFile(file);
    }

    void write(String module, Map<String, String> properties, List<Step> steps) throws IOException {
        Path whole = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(whole, text(module, properties, steps));
        Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    }

    static String text(String module, Map<String, String> properties, List<Step> steps) {
        Duration total = steps.stream().map(Step::took).reduce(Duration.ZERO, Duration::plus);
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuite name=\"").append(escaped("certify " + module));
        xml.append("\" tests=\"").append(steps.size());
        xml.append("\" failures=\"").append(count(steps, Outcome.FAILED));
        xml.append("\" errors=\"0\" skipped=\"").append(count(steps, Outcome.SKIPPED));
        xml.append("\" time=\"").append(Report.seconds(total)).append("\">\n  <properties>\n");
        properties.forEach((name, value) -> xml.append("    <property name=\"")
                .append(escaped(name))
                .append("\" value=\"")
                .append(escaped(value))
                .append("\"/>\n"));
        xml.append("  </properties>\n");
        steps.forEach(step -> testCase(xml, module, step));
        return xml.append("</testsuite>\n").toString();
    }

    private static long count(List<Step> steps, Outcome outcome) {
        return steps.stream().filter(step -> step.result().outcome() == outcome).count();
    }

    private static void testCase(StringBuilder xml, String module, Step step) {
        xml.append("  <testcase classname=\"").append(escaped("certify." + module));
        xml.append("\" name=\"").append(escaped(step.name()));
        xml.append("\" time=\"").append(Report.seconds(step.took())).append('"');
        String note = escaped(step.result().note());
        String details = escaped(String.join("\n", step.result().details()));
        switch (step.result().outcome()) {
            case PASSED -> xml.append(note.isEmpty() ? "/>\n" : "><system-out>" + note + "</system-out></testcase>\n");
            case SKIPPED -> xml.append("><skipped message=\"").append(note).append("\"/></testcase>\n");
            case FAILED ->
                xml.append("><failure message=\"")
                        .append(note.isEmpty() ? firstLine(details) : note)
                        .append("\">")
                        .append(details)
                        .append("</failure></testcase>\n");
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** XML has no way to write most control characters, not even escaped. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\n', '\t' -> escaped.appendCodePoint(character);
                default -> escaped.appendCodePoint(isOfXml(character) ? character : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isOfXml(int character) {
        return (character >= 0x20 && character <= 0xD7FF)
                || (character >= 0xE000 && character <= 0xFFFD)
                || character >= 0x10000;
    }
}
