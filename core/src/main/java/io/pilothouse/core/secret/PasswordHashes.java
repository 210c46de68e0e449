package io.pilothouse.core.secret;

/**
 * All that is stored of a service's password: the hashes that its HTTP and native ports and its MySQL port compare with
 * (hex).
 */
public record PasswordHashes(String sha256, String doubleSha1) {
    @Override
    public String toString() {
        return "PasswordHashes[]";
    }
}
