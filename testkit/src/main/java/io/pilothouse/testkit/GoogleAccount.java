package io.pilothouse.testkit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.Optional;

/** A service account of Google's with a key of its own, and the side that checks what the key has signed. */
public record GoogleAccount(KeyPair keys) {
    public static final String EMAIL = "reader@project.iam.gserviceaccount.com";
    public static final String KEY_ID = "key-1";
    private static final int BITS = 2048;

    public static GoogleAccount make() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(BITS);
        return new GoogleAccount(generator.generateKeyPair());
    }

    /** The key's JSON file as Google gives it, in base64, for tokens from this address. */
    public String file(String tokenAddress) {
        String json = """
                {"type": "service_account", "project_id": "project", "private_key_id": "%s", "private_key": "%s",
                 "client_email": "%s", "token_uri": "%s"}""".formatted(KEY_ID, pem().replace("\n", "\\n"), EMAIL, tokenAddress);
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private String pem() {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    /** A line of the private key, which no text may show. */
    public String secret() {
        return pem().split("\n", -1)[5];
    }

    /** The head and the claims of a token, in JSON; empty where another key has signed it, or none. */
    public Optional<Token> verified(String jwt) throws GeneralSecurityException {
        String[] parts = jwt.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(keys.getPublic());
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        return signature.verify(Base64.getUrlDecoder().decode(parts[2]))
                ? Optional.of(new Token(decoded(parts[0]), decoded(parts[1])))
                : Optional.empty();
    }

    private static String decoded(String part) {
        return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    }

    /** What a JSON Web Token says. */
    public record Token(String head, String claims) {}
}
