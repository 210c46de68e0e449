package io.pilothouse.store;

import io.pilothouse.core.secret.SecretHash;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * One file with a store and the small files beside it without which it is of no use, all of one moment; a zip archive
 * whose last entry has the SHA-256 of each.
 */
public final class StoreArchive {
    private static final String SUMS = "sums.txt";
    private static final String FIRST_LINE = "pilothouse store backup 1";
    private static final String WORK = "restore.new";
    private static final String UNFINISHED = ".unfinished";
    private static final int TRIES = 5;
    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final Source store;
    private final List<String> beside;
    private final Set<String> mayStay;

    /** Copies a store as it is at one moment into a folder that has none; true if it has its keys itself, sealed. */
    @FunctionalInterface
    private interface Source {
        boolean copyTo(DataFolder work) throws IOException, SQLException;
    }

    private StoreArchive(Path folder, Source store, List<String> beside, Set<String> mayStay) {
        this.folder = folder;
        this.store = store;
        this.beside = List.copyOf(beside);
        this.mayStay = Set.copyOf(mayStay);
    }

    /**
     * For the store in this folder.
     *
     * @param beside the files that go with it, by their paths in the folder; one that is missing is left out
     * @param mayStay what may be in the folder when a backup is restored to it
     */
    public StoreArchive(Path folder, List<String> beside, Set<String> mayStay) {
        this(folder, work -> copyOfFile(folder, work), beside, mayStay);
    }

    /** For the store in a database of PostgreSQL, with the files of this folder unless it has its keys itself. */
    public static StoreArchive ofPostgres(Path folder, List<String> beside, String url, String user, String password) {
        return new StoreArchive(
                folder,
                work -> {
                    boolean sealed = StoreTransfer.copyOfOneMoment(work, url, user, password);
                    if (!sealed && Files.notExists(folder.resolve(beside.getFirst()))) {
                        throw new StoreRefused("There is no " + beside.getFirst() + " in " + folder
                                + ", and without it the backup would be of no use: --data names the folder that has"
                                + " it.");
                    }
                    return sealed;
                },
                beside,
                Set.of());
    }

    private static boolean copyOfFile(Path folder, DataFolder work) throws IOException, SQLException {
        SqliteStore.requireIsIn(folder);
        Path target = work.path().resolve(SqliteStore.FILE);
        Files.deleteIfExists(target);
        try (Sql sql = new SqliteFile(folder.resolve(SqliteStore.FILE)).openForCopying()) {
            StoreCopies.copy(sql, target);
        }
        return false;
    }

    /**
     * Writes the archive, while the program runs or not; the file is there whole or not at all, and on the disk when this
     * returns. What an attempt that was killed has left of it is removed first. Whether keys are beside the store in it;
     * otherwise the store has them itself, sealed.
     *
     * @throws StoreRefused with a sentence if there is such a file already, there is no store, or it cannot be copied
     */
    public boolean write(Path file) {
        requireNew(file);
        try (DataFolder work = DataFolder.take(file.resolveSibling(file.getFileName() + UNFINISHED))) {
            try {
                empty(work.path());
                Path draft = work.path().resolve("draft");
                boolean hasKeys = pack(work, draft);
                requireNew(file);
                putNew(draft, file);
                return hasKeys;
            } finally {
                delete(work.path());
            }
        } catch (IOException | SQLException e) {
            throw new StoreRefused("The backup " + file + " cannot be written: " + reason(e) + ".", e);
        }
    }

    /** Gives a whole file its name; a link, unlike a rename, fails where somebody else has taken that meanwhile. */
    private static void putNew(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                StoreCopies.sync(folder);
            }
        } catch (FileAlreadyExistsException taken) {
            requireNew(file);
            throw taken;
        } catch (UnsupportedOperationException noLinks) {
            StoreCopies.put(draft, file);
        }
    }

    private static void requireNew(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreRefused("There is a file " + file + " already, which is left as it is.");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StoreRefused("The file " + file + " cannot be made: there is no folder for it.");
        }
    }

    /** Whether this is an archive, and without that file. */
    public static boolean lacks(Path archive, String name) {
        try (ZipFile zip = new ZipFile(archive.toFile(), StandardCharsets.UTF_8)) {
            return zip.getEntry(SUMS) != null && zip.getEntry(name) == null;
        } catch (IOException e) {
            // Reading all of it says what is wrong with it.
            return false;
        }
    }

    /** What attempts that were killed have left beside this file, with keys in it. */
    public static List<Path> unfinishedBeside(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(each -> each.toString().endsWith(UNFINISHED) && Files.isDirectory(each))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private boolean pack(DataFolder work, Path draft) throws IOException, SQLException {
        Map<String, byte[]> keys = copyOfOneMoment(work);
        List<String> sums = new ArrayList<>(List.of(FIRST_LINE));
        Files.createFile(draft, DataFolder.OWNERS_FILE);
        try (ZipOutputStream zip = new ZipOutputStream(
                new BufferedOutputStream(Files.newOutputStream(draft), BUFFER), StandardCharsets.UTF_8)) {
            try (InputStream store = Files.newInputStream(work.path().resolve(SqliteStore.FILE))) {
                sums.add(entry(zip, SqliteStore.FILE, store));
            }
            for (Map.Entry<String, byte[]> key : keys.entrySet()) {
                sums.add(entry(zip, key.getKey(), new ByteArrayInputStream(key.getValue())));
            }
            zip.putNextEntry(new ZipEntry(SUMS));
            zip.write((String.join("\n", sums) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        StoreCopies.sync(draft);
        return !keys.isEmpty();
    }

    /** Keys change only while the store does (a rotation): those that are the same before and after are of the copy. */
    private Map<String, byte[]> copyOfOneMoment(DataFolder work) throws IOException, SQLException {
        for (int i = 0; i < TRIES; i++) {
            Map<String, byte[]> before = besides();
            if (store.copyTo(work)) {
                return Map.of();
            }
            Map<String, byte[]> after = besides();
            if (before.keySet().equals(after.keySet())
                    && before.entrySet().stream()
                            .allMatch(each -> MessageDigest.isEqual(each.getValue(), after.get(each.getKey())))) {
                return after;
            }
        }
        throw new IOException("the keys beside the store are being changed");
    }

    private Map<String, byte[]> besides() throws IOException {
        Map<String, byte[]> found = new LinkedHashMap<>();
        for (String name : beside) {
            if (Files.exists(folder.resolve(name))) {
                found.put(name, Files.readAllBytes(folder.resolve(name)));
            }
        }
        return found;
    }

    private static String entry(ZipOutputStream zip, String name, InputStream content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        DigestOutputStream summed = new DigestOutputStream(zip, SecretHash.newSha256());
        content.transferTo(summed);
        zip.closeEntry();
        return sum(summed) + " " + name;
    }

    /**
     * Unpacks the archive into the folder, which it makes if need be. Every sum is checked first; until then nothing
     * is in its place.
     *
     * @throws StoreRefused with a sentence if the folder is in use or not empty, or the archive is damaged or newer
     */
    public void restore(Path file) {
        try (ZipFile zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8);
                DataFolder taken = DataFolder.take(folder)) {
            requireEmpty();
            Path work = taken.path().resolve(WORK);
            delete(work);
            Files.createDirectory(work, DataFolder.OWNERS_FOLDER);
            try {
                List<String> names = unpack(zip, work);
                Migrations.ofThisProgram().requireKnown(StoreCopies.check(work.resolve(SqliteStore.FILE)));
                putInPlace(work, names);
            } finally {
                delete(work);
            }
        } catch (IOException | SQLException e) {
            throw new StoreRefused(
                    "The backup " + file + " cannot be restored: " + reason(e) + ". Nothing was put in its place.", e);
        }
    }

    /** Does this with what is in the archive, in a folder that is there for as long as it takes. */
    public <E extends Exception> void whileUnpacked(Path file, Use<E> use) throws E {
        Path work = folder.resolve("restore.store");
        try {
            delete(work);
            new StoreArchive(work, beside, Set.of()).restore(file);
            use.of(work);
        } catch (IOException e) {
            throw new StoreRefused("The folder " + work + " is in the way: " + reason(e) + ".", e);
        } finally {
            try {
                delete(work);
            } catch (IOException e) {
                System.getLogger(StoreArchive.class.getName())
                        .log(System.Logger.Level.WARNING, "The folder " + work + " has keys in it and stays", e);
            }
        }
    }

    /** What is done with an archive that is unpacked. */
    @FunctionalInterface
    public interface Use<E extends Exception> {
        void of(Path unpacked) throws E;
    }

    /** The store goes first: keys without it would look like a first start. */
    private void putInPlace(Path work, List<String> names) {
        try {
            for (String name : names) {
                Path target = folder.resolve(name);
                Files.createDirectories(target.getParent(), DataFolder.OWNERS_FOLDER);
                StoreCopies.put(work.resolve(name), target);
            }
        } catch (IOException e) {
            throw new StoreRefused(
                    "The backup is in " + folder + " in part only: " + reason(e) + ". Remove that, and restore again.",
                    e);
        }
    }

    private void requireEmpty() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            entries.map(each -> each.getFileName().toString())
                    .filter(name -> !mayStay.contains(name) && !name.equals(DataFolder.LOCK) && !name.equals(WORK))
                    .sorted()
                    .findFirst()
                    .ifPresent(name -> {
                        throw new StoreRefused("The data folder " + folder + " is not empty, it has " + name
                                + ": restore to an empty one, or move what is there away.");
                    });
        }
    }

    /** The names in the archive, the store first. */
    private List<String> unpack(ZipFile zip, Path work) throws IOException {
        List<String> lines = new String(content(zip, SUMS).readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (lines.size() < 2 || !lines.getFirst().equals(FIRST_LINE)) {
            throw new IOException("it is not a backup of a store, or one that a newer Pilothouse made");
        }
        List<String> names = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            int blank = line.indexOf(' ');
            String name = line.substring(blank + 1);
            // Names come from outside, and become paths.
            if (!name.equals(names.isEmpty() ? SqliteStore.FILE : name)
                    || !(names.isEmpty() || beside.contains(name))) {
                throw new IOException("it has a file that is no part of a backup");
            }
            Path target = work.resolve(name);
            Files.createDirectories(target.getParent(), DataFolder.OWNERS_FOLDER);
            Files.createFile(target, DataFolder.OWNERS_FILE);
            try (InputStream content = content(zip, name);
                    DigestOutputStream out =
                            new DigestOutputStream(Files.newOutputStream(target), SecretHash.newSha256())) {
                content.transferTo(out);
                if (!sum(out).equals(line.substring(0, Math.max(0, blank)))) {
                    throw new IOException("its checksum of " + name + " does not match, so it is damaged");
                }
            }
            StoreCopies.sync(target);
            names.add(name);
        }
        return names;
    }

    private static InputStream content(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new IOException("it lacks " + name);
        }
        return zip.getInputStream(entry);
    }

    private static String sum(DigestOutputStream out) {
        return HexFormat.of().formatHex(out.getMessageDigest().digest());
    }

    private static String reason(Exception fault) {
        if (fault instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist";
        }
        if (fault instanceof AccessDeniedException denied) {
            return denied.getFile() + " may not be used by this user";
        }
        return fault instanceof ZipException
                ? "it is no archive, or is damaged (" + fault.getMessage() + ")"
                : String.valueOf(fault.getMessage());
    }

    /** Removes all but the lock of a folder that this process has taken. */
    private static void empty(Path taken) throws IOException {
        List<Path> all;
        try (Stream<Path> entries = Files.list(taken)) {
            all = entries.filter(each -> !each.endsWith(DataFolder.LOCK)).toList();
        }
        for (Path each : all) {
            delete(each);
        }
    }

    private static void delete(Path tree) throws IOException {
        if (Files.notExists(tree)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> entries = Files.walk(tree)) {
            all = entries.toList();
        }
        for (Path each : all.reversed()) {
            Files.delete(each);
        }
    }
}
