package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.testkit.GoogleAccount;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the key of a service account signs, and which keys are none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoogleKeyTest {
    private static final String ADDRESS = "https://oauth2.googleapis.com/token";
    private static final Instant NOW = Instant.ofEpochSecond(1_000_000);

    private GoogleAccount account;

    @BeforeAll
    void make() throws GeneralSecurityException {
        account = GoogleAccount.make();
    }

    private static String json(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static String base64(String json) {
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatItSignsSaysWhoAsksWhomForWhatAndForHowLong()
            throws GeneralSecurityException, JsonProcessingException, Owner {
        GoogleAccount.Token token = account.verified(
                        GoogleKey.parse(account.file(ADDRESS)).assertion(NOW))
                .orElseThrow();
        ObjectMapper mapper = new ObjectMapper();
        assertThat(mapper.readTree(token.head()))
                .isEqualTo(mapper.readTree("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"key-1\"}"));
        JsonNode wanted = mapper.readTree("""
                {"iss":"reader@project.iam.gserviceaccount.com","aud":"https://oauth2.googleapis.com/token",
                 "scope":"https://www.googleapis.com/auth/devstorage.read_only","iat":1000000,"exp":1003600}""");
        assertThat(mapper.readTree(token.claims())).isEqualTo(wanted);
    }

    @Test
    void anotherKeyOrAnotherTextIsNotVerified() throws GeneralSecurityException, Owner {
        String jwt = GoogleKey.parse(account.file(ADDRESS)).assertion(NOW);
        assertThat(GoogleAccount.make().verified(jwt)).isEmpty();
        assertThat(account.verified("e30" + jwt.substring(jwt.indexOf('.')))).isEmpty();
    }

    @Test
    void linesOfBase64AreOneText() throws GeneralSecurityException, Owner {
        String lines = account.file(ADDRESS).replaceAll("(.{76})", "$1\n");
        assertThat(account.verified(GoogleKey.parse(lines).assertion(NOW))).isPresent();
    }

    @Test
    void keyWithoutAnIdHasNoneInItsHead() throws GeneralSecurityException, Owner {
        String bare = base64(json(account.file(ADDRESS)).replace("private_key_id", "other"));
        assertThat(account.verified(GoogleKey.parse(bare).assertion(NOW)))
                .hasValueSatisfying(token -> assertThat(token.head()).doesNotContain("kid"));
    }

    @Test
    void whatIsWrongWithAKeyIsSaidWithoutAWordOfIt() throws GeneralSecurityException {
        String good = json(account.file(ADDRESS));
        KeyPairGenerator curves = KeyPairGenerator.getInstance("EC");
        String curve = Base64.getEncoder()
                .encodeToString(curves.generateKeyPair().getPrivate().getEncoded());
        refused(good, "is not the JSON file of a service account in base64");
        refused(base64("{"), "is not the JSON file");
        refused("", "has no client_email");
        refused(base64("[1]"), "has no client_email");
        refused(base64(good.replace("client_email", "e")), "has no client_email");
        refused(base64(good.replace("\"private_key\"", "\"k\"")), "has no private_key");
        refused(base64(good.replace("token_uri", "t")), "has no token_uri");
        refused(base64(good.replace(ADDRESS, "no address")), "has a token_uri that is no address");
        refused(base64(good.replace("BEGIN PRIVATE", "BEGIN RSA PRIVATE")), "has a private_key that is no RSA key");
        refused(
                base64(good.replaceFirst("(\"private_key\": \")[^\"]*", "$1" + curve.replace("$", ""))),
                "has a private_key that is no RSA key");
        refused("A".repeat(40_000), "is larger than 32768 characters");
    }

    private void refused(String key, String why) {
        assertThatThrownBy(() -> GoogleKey.parse(key))
                .as(why)
                .isInstanceOf(Owner.class)
                .hasMessageContaining("The serviceAccountKey of the source " + why)
                .hasNoCause()
                .satisfies(fault -> assertThat(List.of(account.secret(), GoogleAccount.EMAIL))
                        .noneMatch(secret -> String.valueOf(fault.getMessage()).contains(secret)));
    }
}
