package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of a module in a folder of our own, with its state in a file beside it, whatever backend it names. The module
 * itself is only read.
 */
final class ModuleCopy {
    private static final Set<String> LEFT_OUT = Set.of(".terraform", ".git", "node_modules");
    private static final Pattern STATE = Pattern.compile(".*\\.tfstate(\\..*)?|\\..*\\.tfstate\\.lock\\.info");
    private static final long MAX_BYTES = 256 << 20;
    private static final int MAX_FILES = 20_000;
    private static final Pattern VARIABLE = Pattern.compile("(?m)^\\s*variable\\s+\"?([A-Za-z_][\\w-]*)\"?\\s*\\{");
    private static final Pattern ABOVE = Pattern.compile("\"(?:\\$\\{path\\.(?:module|root)\\}/)?((?:\\.\\./)+)");
    private static final String INPUT = "pilothouse-certify.tfvars.json";
    private static final String STATE_FILE = "terraform.tfstate";

    private final Path folder;
    private final String text;

    private ModuleCopy(Path folder, String text) {
        this.folder = folder;
        this.text = text;
    }

    /** Copies a module; and where it points above itself, as examples do, what it points into. */
    static ModuleCopy of(Path module, Path into) throws CommandRefused, IOException {
        List<Path> files = files(module);
        if (files.isEmpty()) {
            throw new CommandRefused(module + " has no file of Terraform in it.");
        }
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append(Files.readString(file)).append('\n');
        }
        Path from = module.toRealPath();
        Path top = above(from, levelsAbove(text.toString()));
        copy(top, into);
        Path folder = into.resolve(top.relativize(from));
        Files.writeString(folder.resolve("pilothouse_certify_override.tf"), "terraform {\n  backend \"local\" {}\n}\n");
        return new ModuleCopy(folder, text.toString());
    }

    /** The same module with a copy of the state, so that what is done to one does nothing to the other. */
    ModuleCopy withStateOfItsOwn(Path into) throws IOException {
        copy(folder, into);
        Files.copy(folder.resolve(STATE_FILE), into.resolve(STATE_FILE));
        if (Files.exists(folder.resolve(".terraform"))) {
            Files.createSymbolicLink(into.resolve(".terraform"), folder.resolve(".terraform"));
        }
        return new ModuleCopy(into, text);
    }

    private static List<Path> files(Path module) throws CommandRefused, IOException {
        if (!Files.isDirectory(module)) {
            throw new CommandRefused(module + " is no folder.");
        }
        try (Stream<Path> all = Files.list(module)) {
            return all.filter(file -> file.toString().matches(".*\\.(tf|tofu|tf\\.json)"))
                    .sorted()
                    .toList();
        }
    }

    private static int levelsAbove(String text) {
        int most = 0;
        Matcher above = ABOVE.matcher(text);
        while (above.find()) {
            most = Math.max(most, above.group(1).length() / "../".length());
        }
        return most;
    }

    private static Path above(Path module, int levels) throws CommandRefused {
        Path top = module;
        for (int i = 0; i < levels; i++) {
            Path parent = top.getParent();
            if (parent == null) {
                throw new CommandRefused(module + " points to a folder above the topmost one.");
            }
            top = parent;
        }
        return top;
    }

    private static void copy(Path from, Path into) throws IOException {
        Files.walkFileTree(
                from, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
                    private long bytes;
                    private int files;

                    @Override
                    public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes)
                            throws IOException {
                        Path name = visited.getFileName();
                        if (!visited.equals(from) && name != null && LEFT_OUT.contains(name.toString())) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        Files.createDirectories(
                                into.resolve(from.relativize(visited).toString()));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                        if (!attributes.isRegularFile()
                                || STATE.matcher(String.valueOf(file.getFileName()))
                                        .matches()) {
                            return FileVisitResult.CONTINUE;
                        }
                        bytes += attributes.size();
                        files++;
                        if (bytes > MAX_BYTES || files > MAX_FILES) {
                            throw new IOException(from + " is too large to be copied: more than " + (MAX_BYTES >> 20)
                                    + " MB, or more than " + MAX_FILES + " files");
                        }
                        Files.copy(file, into.resolve(from.relativize(file).toString()));
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    Path folder() {
        return folder;
    }

    Path state() {
        return folder.resolve(STATE_FILE);
    }

    /** The variables that the module takes, in the order of their names. */
    Set<String> variables() {
        Set<String> names = new TreeSet<>();
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            names.add(variable.group(1));
        }
        return names;
    }

    /** The values in {@code contains([...], var.NAME)}, by which validations say what a variable may be. */
    List<String> allowed(String variable) {
        Matcher condition = Pattern.compile(
                        "contains\\(\\s*\\[([^\\]]*)\\]\\s*,\\s*var\\." + Pattern.quote(variable) + "\\s*\\)")
                .matcher(text);
        List<String> allowed = new ArrayList<>();
        if (condition.find()) {
            for (String item : condition.group(1).split(",", -1)) {
                String value = item.strip();
                if (!value.isEmpty()) {
                    allowed.add(value.replaceAll("^\"|\"$", ""));
                }
            }
        }
        return allowed;
    }

    /** Writes down what the variables are from now on; not as arguments, because some are secrets. */
    void give(Tree.Members values) throws IOException {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            TreeJson.writeMembers(out, values);
            out.endObject();
        });
        PrivateFile.write(folder.resolve(INPUT), document);
    }

    /** The argument that names the file of {@link #give}; it counts for more than any other. */
    static String input() {
        return "-var-file=" + INPUT;
    }
}
