package io.pilothouse.core.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VaultTest {
    private static final String CONTEXT = "webhook:1:headers";

    private final SecureRandom random = new SecureRandom();
    private final VaultKeys keys = VaultKeys.generate(random);
    private final Vault vault = new Vault(keys, random);

    @Test
    void aSealedTextOpensInItsContext() {
        String sealed = vault.sealText("pass word \u00e9", CONTEXT);

        assertThat(vault.openText(sealed, CONTEXT)).isEqualTo("pass word \u00e9");
        assertThat(vault.openText(vault.sealText("", CONTEXT), CONTEXT)).isEmpty();
    }

    @Test
    void theSameSecretIsNeverSealedToTheSameText() {
        assertThat(vault.sealText("secret", CONTEXT)).isNotEqualTo(vault.sealText("secret", CONTEXT));
    }

    @Test
    void sealingIsAesGcmUnderTheKeyOfTheFile() throws GeneralSecurityException {
        String sealed = vault.sealText("secret", CONTEXT);

        String[] line = keys.text().lines().toList().getLast().split(" ", -1);
        byte[] bytes = Base64.getUrlDecoder().decode(sealed.split("\\.", -1)[2]);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                new SecretKeySpec(Base64.getDecoder().decode(line[1]), "AES"),
                new GCMParameterSpec(128, Arrays.copyOf(bytes, 12)));
        cipher.updateAAD(("v1." + line[0] + "." + CONTEXT).getBytes(StandardCharsets.UTF_8));
        assertThat(new String(cipher.doFinal(bytes, 12, bytes.length - 12), StandardCharsets.UTF_8))
                .isEqualTo("secret");
    }

    @Test
    void aKeyThatIsHandedOutHasTheSameIdEverywhere() {
        byte[] old = "old key that is handed out, 32 b".getBytes(StandardCharsets.US_ASCII);
        byte[] next = "new key that is handed out, 32 b".getBytes(StandardCharsets.US_ASCII);
        String sealed = new Vault(VaultKeys.of(old), random).sealText("secret", CONTEXT);

        assertThat(new Vault(VaultKeys.of(old), random).openText(sealed, CONTEXT))
                .isEqualTo("secret");
        String renewed = new Vault(VaultKeys.of(next, old), random).renew(sealed, CONTEXT);
        assertThat(new Vault(VaultKeys.of(next), random).openText(renewed, CONTEXT))
                .isEqualTo("secret");
        assertThatThrownBy(() -> new Vault(VaultKeys.of(next), random).open(sealed, CONTEXT))
                .isInstanceOf(VaultFault.class);
    }

    @Test
    void aSealedTextMovedToAnotherRowDoesNotOpen() {
        String sealed = vault.sealText("hunter2", CONTEXT);

        assertThatThrownBy(() -> vault.openText(sealed, "webhook:2:headers"))
                .isInstanceOf(VaultFault.class)
                .hasMessageContaining("webhook:2:headers")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aChangedTextDoesNotOpen() {
        String sealed = vault.sealText("hunter2", CONTEXT);
        char last = sealed.charAt(20);
        String changed = sealed.substring(0, 20) + (last == 'A' ? 'B' : 'A') + sealed.substring(21);

        assertThatThrownBy(() -> vault.open(changed, CONTEXT)).isInstanceOf(VaultFault.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "v1.00000000.short",
                "v2.00000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "v1.0000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void aTextThatWasNeverSealedIsRefused(String text) {
        assertThatThrownBy(() -> vault.open(text, CONTEXT))
                .isInstanceOf(VaultFault.class)
                .hasMessageContaining("not a sealed text");
    }

    @Test
    void aTextCutShortIsRefused() {
        String sealed = vault.sealText("secret", CONTEXT);
        String prefix = sealed.substring(0, "v1.00000000.".length());

        assertThatThrownBy(() -> vault.open(prefix + "A".repeat(41), CONTEXT))
                .isInstanceOf(VaultFault.class)
                .hasMessageContaining("not a sealed text");
    }

    @Test
    void aTextUnderAnUnknownKeyNamesThatKey() {
        String sealed = new Vault(VaultKeys.generate(random), random).sealText("secret", CONTEXT);

        assertThatThrownBy(() -> vault.open(sealed, CONTEXT))
                .isInstanceOf(VaultFault.class)
                .hasMessageContaining("sealed under key " + sealed.substring(3, 11));
    }

    @Test
    void aKeyOfTheSameIdWithAnotherSecretDoesNotOpen() {
        String id = keys.text().lines().toList().getLast().substring(0, 8);
        String other = VaultKeys.generate(random).text().lines().toList().getLast();
        VaultKeys wrong = VaultKeys.parse(id + other.substring(8));

        assertThatThrownBy(() -> new Vault(wrong, random).requireFits(vault.check()))
                .isInstanceOf(VaultFault.class)
                .hasMessageContaining("the key is another one");
    }

    @Test
    void theCheckFitsTheKeysItWasMadeWith() {
        String check = vault.check();

        new Vault(VaultKeys.parse(keys.text()), random).requireFits(check);
        new Vault(keys.withNewest(random), random).requireFits(check);
    }

    @Test
    void renewingMovesASecretUnderTheNewestKeyOnce() {
        String sealed = vault.sealText("secret", CONTEXT);
        Vault rotated = new Vault(keys.withNewest(random), random);

        String renewed = rotated.renew(sealed, CONTEXT);

        assertThat(vault.renew(sealed, CONTEXT)).isSameAs(sealed);
        assertThat(rotated.renew(renewed, CONTEXT)).isSameAs(renewed);
        assertThat(rotated.openText(renewed, CONTEXT)).isEqualTo("secret");
        assertThatThrownBy(() -> vault.open(renewed, CONTEXT)).isInstanceOf(VaultFault.class);
        rotated.requireFits(rotated.renewCheck(vault.check()));
    }

    @Test
    void theNewestKeyAloneOpensWhatWasRenewed() {
        VaultKeys both = keys.withNewest(random);
        String renewed = new Vault(both, random).renew(vault.sealText("secret", CONTEXT), CONTEXT);

        assertThat(both.size()).isEqualTo(2);
        assertThat(both.newestOnly().size()).isEqualTo(1);
        assertThat(new Vault(both.newestOnly(), random).openText(renewed, CONTEXT))
                .isEqualTo("secret");
    }

    @Test
    void anIdThatIsTakenIsNotGivenTwice() {
        VaultKeys.Key key = keys.newest();
        SecureRandom repeating = new Repeating(key.id());

        assertThat(keys.withNewest(repeating).newest().id()).isNotEqualTo(key.id());
    }

    @Test
    void theFileKeepsEveryKeyInOrder() {
        VaultKeys three = keys.withNewest(random).withNewest(random);

        assertThat(VaultKeys.parse(three.text()).text()).isEqualTo(three.text());
        assertThat(VaultKeys.parse(three.text()).newest().id())
                .isEqualTo(three.newest().id());
    }

    @Test
    void aBrokenFileSaysWhichLineWithoutShowingIt() {
        String text = keys.text();
        for (String broken : List.of(text + "hunter2", text + "00000000 c2hvcnQ=", text + text)) {
            assertThatThrownBy(() -> VaultKeys.parse(broken))
                    .isInstanceOf(VaultFault.class)
                    .hasMessageMatching("line \\d is not a key.*")
                    .hasMessageNotContaining("hunter2");
        }
        assertThatThrownBy(() -> VaultKeys.parse("# nothing\n\n")).hasMessage("it holds no key");
    }

    @Test
    void nothingPrintsAKey() {
        String secret = keys.text().lines().toList().getLast().substring(9);

        assertThat(vault.toString() + keys + keys.newest()).doesNotContain(secret);
    }

    /** Gives the id that is taken first, and random bytes after that. */
    private static final class Repeating extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final String id;
        private boolean given;

        Repeating(String id) {
            this.id = id;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            if (bytes.length == 4 && !given) {
                given = true;
                byte[] taken = HexFormat.of().parseHex(id);
                System.arraycopy(taken, 0, bytes, 0, bytes.length);
            } else {
                super.nextBytes(bytes);
            }
        }
    }
}
