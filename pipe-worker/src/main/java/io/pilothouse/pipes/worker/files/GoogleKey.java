package io.pilothouse.pipes.worker.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * The key of a service account, as the JSON file has it that Google gives for one. It signs that the account asks for a
 * token; what it signs is good at one address, for an hour.
 */
final class GoogleKey {
    /** All that a pipe does is list and read. */
    static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_only";

    private static final Duration HOLDS = Duration.ofHours(1);
    /** Google's are 2.4 kilobytes. */
    private static final int MAX_CHARACTERS = 32_768;
    /** A signature of a larger one costs the worker more than any account needs. */
    private static final int MAX_BITS = 8192;

    private static final String BLANKS = "\\s+";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Base64.Encoder URL_SAFE = Base64.getUrlEncoder().withoutPadding();

    private final String account;
    private final String id;
    private final RSAPrivateKey key;
    private final URI address;

    private GoogleKey(String account, String id, RSAPrivateKey key, URI address) {
        this.account = account;
        this.id = id;
        this.key = key;
        this.address = address;
    }

    /** Reads the file in base64; what is wrong with it is said without a word of it. */
    static GoogleKey parse(String base64) throws Owner {
        if (base64.length() > MAX_CHARACTERS) {
            throw wrong("is larger than " + MAX_CHARACTERS + " characters");
        }
        JsonNode file = file(base64);
        String account = text(file, "client_email");
        return new GoogleKey(
                account, file.path("private_key_id").asText(""), key(text(file, "private_key")), address(file));
    }

    private static JsonNode file(String base64) throws Owner {
        try {
            return JSON.readTree(Base64.getDecoder().decode(base64.replaceAll(BLANKS, "")));
        } catch (IllegalArgumentException | IOException _) {
            throw wrong("is not the JSON file of a service account in base64");
        }
    }

    private static String text(JsonNode file, String member) throws Owner {
        String text = file.path(member).asText("");
        if (text.isEmpty()) {
            throw wrong("has no " + member);
        }
        return text;
    }

    private static URI address(JsonNode file) throws Owner {
        try {
            return URI.create(text(file, "token_uri"));
        } catch (IllegalArgumentException _) {
            throw wrong("has a token_uri that is no address");
        }
    }

    private static RSAPrivateKey key(String pem) throws Owner {
        try {
            byte[] bytes = Base64.getDecoder()
                    .decode(pem.replace("-----BEGIN PRIVATE KEY-----", "")
                            .replace("-----END PRIVATE KEY-----", "")
                            .replaceAll(BLANKS, ""));
            if (KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(bytes))
                            instanceof RSAPrivateKey key
                    && key.getModulus().bitLength() <= MAX_BITS) {
                return key;
            }
        } catch (IllegalArgumentException | GeneralSecurityException _) {
            // The exception may quote the key.
        }
        throw wrong("has a private_key that is no RSA key of up to " + MAX_BITS + " bits in PKCS #8");
    }

    private static Owner wrong(String what) {
        return new Owner("The serviceAccountKey of the source " + what + ".");
    }

    /** Where its tokens come from. */
    URI address() {
        return address;
    }

    /** A JSON Web Token by which the account asks for a token of access from now on. */
    String assertion(Instant now) {
        ObjectNode head = JSON.createObjectNode().put("alg", "RS256").put("typ", "JWT");
        if (!id.isEmpty()) {
            head.put("kid", id);
        }
        ObjectNode claims = JSON.createObjectNode()
                .put("iss", account)
                .put("scope", SCOPE)
                .put("aud", address.toString())
                .put("iat", now.getEpochSecond())
                .put("exp", now.plus(HOLDS).getEpochSecond());
        try {
            String text = URL_SAFE.encodeToString(JSON.writeValueAsBytes(head)) + "."
                    + URL_SAFE.encodeToString(JSON.writeValueAsBytes(claims));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + URL_SAFE.encodeToString(signature.sign());
        } catch (GeneralSecurityException | JacksonException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
