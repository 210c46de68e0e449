package io.pilothouse.core.secret;

/** All that is kept of a service's password: what its HTTP and native ports and its MySQL port compare against (hex). */
public record PasswordHashes(String sha256, String doubleSha1) {
    @Override
    public String toString() {
        return "PasswordHashes[]";
    }
}
