package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Service;
import io.pilothouse.plane.local.ConfigFiles.DatabaseKind;
import io.pilothouse.plane.local.bundled.BundledMain;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.turn.Budget;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ConfigFilesTest {
    private static final DatabaseSettings SETTINGS = settings("the password", 3L << 30);
    private static final String OWN_PASSWORD = "own";

    private final UUID id = UUID.randomUUID();
    private final ServiceFolder folder = new ServiceFolder(Path.of("/a & b/<c>"), id);

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void everyDatabaseListensOnLoopbackWithItsOwnFoldersAndCeiling(DatabaseKind kind) throws Exception {
        Document config = parse(files(kind, true).config(SETTINGS));

        assertThat(at(config, "/clickhouse/listen_host")).isEqualTo("127.0.0.1");
        assertThat(at(config, "/clickhouse/http_port")).isEqualTo("21000");
        assertThat(at(config, "/clickhouse/path")).isEqualTo("/a & b/<c>/" + id + "/data/");
        assertThat(at(config, "/clickhouse/users_config")).isEqualTo("/a & b/<c>/" + id + "/users.xml");
        assertThat(at(config, "/clickhouse/max_server_memory_usage")).isEqualTo(Long.toString(3L << 30));
        assertThat(at(config, "/clickhouse/backups/allowed_path")).isEqualTo("/a & b/<c>/" + id + "/exchange/");
        assertThat(at(config, "/clickhouse/send_crash_reports/enabled")).isEqualTo("false");
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void noneHasMoreMemoryThanAllTogetherAndNoneTakesTheLastOfTheDisk(DatabaseKind kind) throws Exception {
        DatabaseSettings large = LiveDatabase.settings("x", 120L << 30);
        Document config = parse(files(kind, true).config(large));

        assertThat(at(config, "/clickhouse/max_server_memory_usage")).isEqualTo(Long.toString(4L << 30));
        assertThat(at(config, "//disks/default/keep_free_space_bytes")).isEqualTo(Long.toString(1 << 20));
    }

    @Test
    void bundledDatabaseOpensNoPortButHttp() throws Exception {
        Document config = parse(files(DatabaseKind.BUNDLED, true).config(SETTINGS));

        assertThat(at(config, "/clickhouse/tcp_port")).isEmpty();
        assertThat(at(config, "/clickhouse/mysql_port")).isEmpty();
        assertThat(at(config, "//http_authentication_servers/boot/uri/@from_env"))
                .isEqualTo(BundledMain.BOOT_ADDRESS);
        assertThat(at(config, "//table_engines_require_grant")).isEqualTo("true");
        assertThat(at(config, "count(/clickhouse/user_directories)"))
                .as("what it ignores")
                .isEqualTo("0");
    }

    @Test
    void serversOpenTheirOwnPorts() throws Exception {
        Document config = parse(files(DatabaseKind.SERVER, false).config(SETTINGS));

        assertThat(at(config, "/clickhouse/tcp_port")).isEqualTo("21001");
        assertThat(at(config, "/clickhouse/mysql_port")).isEqualTo("21002");
        assertThat(at(config, "//http_authentication_servers")).isEmpty();
        assertThat(at(config, "//user_directories/local_directory/path"))
                .isEqualTo("/a & b/<c>/" + id + "/data/access/");
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void usersFileHoldsHashesAndNoPassword(DatabaseKind kind) throws Exception {
        String text = files(kind, true).users(SETTINGS, OWN_PASSWORD);
        Document users = parse(text);

        assertThat(at(users, "/clickhouse/users/default//password_sha256_hex"))
                .isEqualTo(SETTINGS.password().sha256());
        assertThat(at(users, "/clickhouse/users/pilothouse/password_sha256_hex"))
                .isEqualTo(settings(OWN_PASSWORD).password().sha256());
        assertThat(at(users, "count(/clickhouse/users/pilothouse/networks/ip)")).isEqualTo("2");
        assertThat(at(users, "/clickhouse/profiles/default/max_memory_usage")).isEqualTo(Long.toString(3L << 30));
        assertThat(text).doesNotContain("the password").doesNotContain(">" + OWN_PASSWORD + "<");
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void usersOfQueryEndpointsHaveTheRightsOfTheirRoleAndComeFromHereAlone(DatabaseKind kind) throws Exception {
        Document users = parse(files(kind, true).users(SETTINGS, OWN_PASSWORD));
        for (String user : new String[] {"pilothouse_reader", "pilothouse_admin"}) {
            assertThat(at(users, "count(/clickhouse/users/" + user + "/networks/ip)"))
                    .isEqualTo("2");
            assertThat(at(users, "/clickhouse/users/" + user + "/password_sha256_hex"))
                    .isEqualTo(settings(OWN_PASSWORD).password().sha256());
        }
        boolean old = kind == DatabaseKind.OLD_SERVER;
        assertThat(at(users, "/clickhouse/users/pilothouse_admin/profile")).isEqualTo("default");
        assertThat(at(users, "/clickhouse/users/pilothouse_reader/profile")).isEqualTo("pilothouse_reader");
        assertThat(at(users, "/clickhouse/profiles/pilothouse_reader/profile")).isEqualTo("default");
        assertThat(at(users, "/clickhouse/profiles/pilothouse_reader/readonly")).isEqualTo(old ? "1" : "2");
        assertThat(at(users, "/clickhouse/users/pilothouse_reader/grants/query"))
                .isEqualTo(old ? "" : "GRANT SELECT, SHOW, dictGet ON *.*");
        assertThat(at(users, "/clickhouse/users/pilothouse_reader/access_management"))
                .isEmpty();
    }

    @Test
    void bundledDatabaseKeepsItsUsersFromFiles() throws Exception {
        Document users = parse(files(DatabaseKind.BUNDLED, true).users(SETTINGS, OWN_PASSWORD));
        for (String user : new String[] {"default", "pilothouse"}) {
            String queries = "/clickhouse/users/" + user + "/grants/query";
            assertThat(at(users, queries + "[1]")).isEqualTo("GRANT ALL ON *.*");
            assertThat(at(users, queries + "[2]")).isEqualTo("REVOKE FILE, SQLITE ON *.*");
            assertThat(at(users, "count(" + queries + "[contains(., 'DICTIONARY')])"))
                    .isEqualTo("0");
        }
        assertThat(at(users, "//default//http_authentication/server")).isEqualTo("boot");
    }

    @Test
    void withoutAFenceThereAreNoDictionariesThatCouldRunPrograms() throws Exception {
        Document users = parse(files(DatabaseKind.BUNDLED, false).users(SETTINGS, OWN_PASSWORD));

        assertThat(
                        at(
                                users,
                                "count(/clickhouse/users/default/grants/query[contains(., 'REVOKE CREATE DICTIONARY, dictGet')])"))
                .isEqualTo("1");
    }

    @Test
    void serversTakeTheMysqlHashWhereTheyKnowManyMethods() throws Exception {
        assertThat(at(
                        parse(files(DatabaseKind.SERVER, true).users(SETTINGS, OWN_PASSWORD)),
                        "/clickhouse/users/default/auth_methods/mysql/password_double_sha1_hex"))
                .isEqualTo(SETTINGS.password().doubleSha1());
        Document old = parse(files(DatabaseKind.OLD_SERVER, true).users(SETTINGS, OWN_PASSWORD));
        assertThat(at(old, "/clickhouse/users/default/auth_methods")).isEmpty();
        assertThat(at(old, "/clickhouse/users/default/access_management")).isEqualTo("1");
        assertThat(at(old, "/clickhouse/users/default/grants")).isEmpty();
    }

    @Test
    void textOfXmlIsAlwaysText() throws Exception {
        String nasty = "<a href=\"x\">&amp;'\t\u00e9\ud83d\ude00</a>";
        Document document =
                parse(new XmlText().open("r").value("v", nasty).close().end());

        assertThat(at(document, "/r/v")).isEqualTo(nasty);
        for (String impossible : new String[] {"\0", "a\u0001b", "\ufffe", "\uffff"}) {
            assertThatThrownBy(() -> new XmlText().value("v", impossible)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new XmlText().open("r").end()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void settingsTakeOnlyHashesAndEnoughMemory() {
        String sha256 = "0a".repeat(32);
        String sha1 = "0B".repeat(20);
        assertThat(new DatabaseSettings(new PasswordHashes(sha256, sha1), 1L << 30, List.of()).fingerprint())
                .isNotEqualTo(new DatabaseSettings(new PasswordHashes(sha256, sha1), 1L << 31, List.of()).fingerprint())
                .doesNotContain(sha256);
        assertThatThrownBy(() -> new DatabaseSettings(new PasswordHashes("secret", sha1), 1L << 30, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> new DatabaseSettings(new PasswordHashes("x".repeat(64), sha1), 1L << 30, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DatabaseSettings(new PasswordHashes(sha256, "00"), 1L << 30, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DatabaseSettings(new PasswordHashes(sha256, sha1), 1 << 20, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void settingsHoldForAllUsersButTheProgramsOwn(DatabaseKind kind) throws Exception {
        DatabaseSettings asked = new DatabaseSettings(
                SETTINGS.password(),
                SETTINGS.memoryBytes(),
                List.of(new Service.Setting("max_execution_time", "7", "0")));
        Document users = parse(files(kind, true).users(asked, OWN_PASSWORD));

        assertThat(at(users, "/clickhouse/profiles/default/max_execution_time")).isEqualTo("7");
        assertThat(at(users, "/clickhouse/profiles/default/max_concurrent_queries_for_user"))
                .isEqualTo("200");
        assertThat(at(users, "/clickhouse/profiles/pilothouse/max_execution_time"))
                .isEqualTo("0");
        assertThat(asked.fingerprint()).isNotEqualTo(SETTINGS.fingerprint());
    }

    @Test
    void userOfPipesReadsItsOwnFilesAndNoTableOfTheService() {
        String text = files(DatabaseKind.BUNDLED, true).users(SETTINGS, OWN_PASSWORD);
        String pipes = text.substring(text.indexOf("<pilothouse_pipes>"), text.indexOf("</pilothouse_pipes>"));
        assertThat(pipes.split("<query>", -1))
                .filteredOn(query -> query.contains("SELECT"))
                .singleElement()
                .asString()
                .startsWith("GRANT SELECT ON clickpipes_staged.*<");
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void fullServiceRefusesRowsOfAllUsersButTheOneOfBackups(DatabaseKind kind) throws Exception {
        DatabaseSettings full = SETTINGS.whenFull(true);
        Document users = parse(files(kind, true).users(full, OWN_PASSWORD));

        for (String user : new String[] {"default", "pilothouse_admin", "pilothouse_reader", "pilothouse_pipes"}) {
            assertThat(at(users, "/clickhouse/users/" + user + "/quota"))
                    .as(user)
                    .isEqualTo("disk_of_this_service_is_full");
        }
        assertThat(at(users, "/clickhouse/users/pilothouse/quota")).isEqualTo("default");
        assertThat(at(users, "//quotas/disk_of_this_service_is_full/interval/written_bytes"))
                .isEqualTo("1");
        boolean old = kind == DatabaseKind.OLD_SERVER;
        assertThat(at(users, "//profiles/default/min_free_disk_bytes_to_perform_insert"))
                .as("for users that SQL made")
                .isEqualTo(old ? "" : Long.toString(Long.MAX_VALUE));
        assertThat(full.fingerprint()).isNotEqualTo(SETTINGS.fingerprint());
    }

    private ConfigFiles files(DatabaseKind kind, boolean fenced) {
        return new ConfigFiles(
                folder,
                new PortSet(21_000),
                kind,
                fenced,
                Egress.parse("public,s3.internal:9000,[::1]:5555"),
                new Budget(4L << 30, 2, 1 << 20));
    }

    private static Document parse(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static String at(Document document, String path) throws Exception {
        return XPathFactory.newInstance().newXPath().evaluate(path, document);
    }
}
