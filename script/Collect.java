import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies the jars of a built program without the native libraries of other systems, and puts the licences of each into
 * a folder of its own. Fails where a jar comes with no licence and none is named for it.
 */
final class Collect {
    private static final Pattern NATIVE = Pattern.compile("(?i).*\\.(so|dll|dylib|jnilib|a)");
    private static final Pattern LICENCE =
            Pattern.compile("(?i)(?!.*\\.class$)(.*/)?[^/]*(licen[cs]e|notice|copying)[^/]*");
    private static final String OURS = "io/pilothouse/";

    /** Libraries keep their native code in folders that are called for the system and the processor. */
    private static final Map<String, String> FOLDERS =
            Map.of("x64", ".*/linux/(x86_64|amd64)/[^/]*", "arm64", ".*/linux/aarch64/[^/]*");

    private final Pattern own;
    private final Map<String, String> named;
    private final Path licences;

    private Collect(Pattern own, Map<String, String> named, Path licences) {
        this.own = own;
        this.named = named;
        this.licences = licences;
    }

    /** The architecture, the list of licences, the folder for licences, the folder of the build, that of the program. */
    public static void main(String[] arguments) throws IOException {
        Pattern own = Pattern.compile(FOLDERS.get(arguments[0]), Pattern.CASE_INSENSITIVE);
        try (Stream<String> lines = Files.lines(Path.of(arguments[1]))) {
            Map<String, String> named = lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" +", 2))
                    .collect(Collectors.toMap(words -> words[0], words -> words[1]));
            Path from = Path.of(arguments[3]);
            Path to = Path.of(arguments[4]);
            Collect collect = new Collect(own, named, Path.of(arguments[2]));
            for (String folder : List.of("lib", "worker")) {
                Files.createDirectories(to.resolve(folder));
                try (Stream<Path> jars = Files.list(from.resolve(folder))) {
                    for (Path jar : jars.sorted().toList()) {
                        collect.take(jar, to.resolve(folder));
                    }
                }
            }
            collect.take(from.resolve("pilothouse.jar"), to);
            collect.take(from.resolve("pilothouse-connect.jar"), to);
        }
    }

    private void take(Path jar, Path folder) throws IOException {
        String name = jar.getFileName().toString();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<ZipEntry> entries = zip.stream().collect(Collectors.toUnmodifiableList());
            List<ZipEntry> kept =
                    entries.stream().filter(entry -> !isForeign(entry.getName())).toList();
            if (kept.size() == entries.size()) {
                Files.copy(jar, folder.resolve(name));
            } else {
                try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(folder.resolve(name)))) {
                    for (ZipEntry entry : kept) {
                        copy(zip, entry, out);
                    }
                }
            }
            keepLicences(name, zip, entries);
        }
    }

    private boolean isForeign(String entry) {
        return NATIVE.matcher(entry).matches() && !own.matcher("/" + entry).matches();
    }

    private static void copy(ZipFile zip, ZipEntry entry, ZipOutputStream out) throws IOException {
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copy);
        try (InputStream in = zip.getInputStream(entry)) {
            in.transferTo(out);
        }
    }

    private void keepLicences(String jar, ZipFile zip, List<ZipEntry> entries) throws IOException {
        Path folder = licences.resolve(jar.replaceAll("\\.jar$", ""));
        boolean found = entries.stream().anyMatch(entry -> entry.getName().startsWith(OURS));
        for (ZipEntry entry : entries) {
            if (!entry.isDirectory() && LICENCE.matcher(entry.getName()).matches()) {
                Path file = folder.resolve(entry.getName().replaceFirst("^META-INF/", "").replace('/', '-'));
                Files.createDirectories(folder);
                try (InputStream in = zip.getInputStream(entry);
                        OutputStream out = Files.newOutputStream(file)) {
                    in.transferTo(out);
                }
                found = true;
            }
        }
        String library = jar.replaceAll("-[0-9].*", "");
        if (!found && named.containsKey(library)) {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("LICENSE.txt"), named.get(library) + "\n");
            found = true;
        }
        if (!found) {
            throw new IOException(jar + " has no licence in it, and release/licences.txt names none for it.");
        }
    }
}
