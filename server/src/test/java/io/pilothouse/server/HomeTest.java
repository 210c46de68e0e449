package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void theFolderIsMadeForItsOwnerOnly() throws Exception {
        Path above = folder.resolve("a");
        Home.open(above.resolve("b"));
        assertThat(mode(above.resolve("b"))).isEqualTo("rwx------");
        assertThat(mode(above)).isEqualTo("rwx------");
    }

    @Test
    void aFolderThatIsThereKeepsItsMode() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        Home.open(folder);
        assertThat(mode(folder)).isEqualTo("rwxr-x---");
    }

    @Test
    void aFileInThePlaceOfTheFolderIsRefused() throws Exception {
        Path file = Files.createFile(folder.resolve("data"));
        assertThatThrownBy(() -> Home.open(file))
                .isInstanceOf(StartRefused.class)
                .hasMessage("The data folder " + file + " cannot be made: it is a file, and --data names another one");
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Home.open(file.resolve("data")))
                .isInstanceOf(StartRefused.class)
                .hasMessage("The data folder " + file.resolve("data") + " cannot be made: --data names one that can");
    }

    @Test
    void aFolderThatCannotBeWrittenToIsRefused() {
        assertThatThrownBy(() -> Home.open(Path.of("/proc/self")))
                .isInstanceOf(StartRefused.class)
                .hasMessage("The data folder /proc/self cannot be written to: --data names another one");
    }

    @Test
    void theKeyIsMadeOnceAndForItsOwnerOnly() throws Exception {
        Home home = Home.open(folder);
        List<byte[]> keys = home.secretKeys(true, random);
        byte[] made = keys.getFirst();
        assertThat(keys).hasSize(1);
        assertThat(made).hasSize(32).isNotEqualTo(new byte[32]);
        assertThat(mode(folder.resolve("secret.key"))).isEqualTo("rw-------");
        assertThat(home.secretKeys(true, random)).containsExactly(made);
        assertThat(home.secretKeys(false, random)).containsExactly(made);
        assertThat(folder).isDirectoryNotContaining(file -> !file.endsWith("secret.key"));
    }

    @Test
    void aLostKeyIsNeverReplacedBesideAStoreThatNeedsIt() throws Exception {
        Home home = Home.open(folder);
        assertThatThrownBy(() -> home.secretKeys(false, random))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("The file " + folder.resolve("secret.key") + " is missing");
        assertThat(folder.resolve("secret.key")).doesNotExist();
    }

    @Test
    void aKeyOfAnotherSizeIsRefused() throws Exception {
        for (int size : new int[] {0, 31, 33, 1_000_000}) {
            PrivateFile.write(folder.resolve("secret.key"), new byte[size]);
            assertThatThrownBy(() -> Home.open(folder).secretKeys(true, random))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("is not the key of 32 bytes");
        }
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws Exception {
        Home home = Home.open(folder);
        home.secretKeys(true, random);
        for (String open : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
            Files.setPosixFilePermissions(folder.resolve("secret.key"), PosixFilePermissions.fromString(open));
            assertThatThrownBy(() -> home.secretKeys(true, random))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("chmod 600");
        }
    }

    @Test
    void aKeyThatCannotBeReadIsRefused() throws Exception {
        Files.createDirectory(
                folder.resolve("secret.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThatThrownBy(() -> Home.open(folder).secretKeys(true, random))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("cannot be read or written");
    }

    @Test
    void anUnfinishedDraftOfAFileIsWrittenOver() throws Exception {
        Files.writeString(folder.resolve("f.new"), "half of what was to be writ");
        PrivateFile.write(folder.resolve("f"), "whole".getBytes(StandardCharsets.UTF_8));
        assertThat(folder.resolve("f")).hasContent("whole");
        assertThat(folder.resolve("f.new")).doesNotExist();
    }

    @Test
    void readinessAndTheLogSayThatTheDiskIsShort() throws IOException, InterruptedException, StartRefused {
        // As much as no disk has.
        try (TestProgram program = TestProgram.start(folder, "--disk-reserve", "9000000G")) {
            assertThat(program.get(program.running().urls().admin() + "/readyz").body())
                    .contains(
                            "\"disk\":\"The disk of the data folder has ", "(disk-reserve): databases write no more.");
            assertThat(program.get(program.running().urls().admin() + "/metrics")
                            .body())
                    .contains("pilothouse_disk_free_bytes ");
            String organization = program.organizationUrl();
            program.await(organization, _ -> program.log().contains("kept for the store (disk-reserve)"));
        }
    }

    @Test
    void usualReserveIsAGigabyteOrATwentiethOfASmallDisk() throws StartRefused {
        Home home = Home.open(folder);
        assertThat(home.reserve(Optional.empty())).isBetween(1L, 1L << 30);
        assertThat(home.reserve(Optional.of(7L << 20))).isEqualTo(7L << 20);
    }
}
