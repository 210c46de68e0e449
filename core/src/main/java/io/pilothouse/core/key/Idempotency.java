package io.pilothouse.core.key;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Keeping;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.TakenMeanwhile;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.secret.SecretHash;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes a retried write harmless: the work and its answer are kept in one transaction, so there is no moment in which
 * one exists without the other. An answer may hold a password shown once, so it is sealed under the caller's own
 * secret, which is kept nowhere. The repeat of a request that is under way waits for its end, what follows its commit
 * included.
 */
public final class Idempotency {
    private static final Duration KEPT = Duration.ofHours(24);
    /** How long a lost answer waits for the repetition of its request. */
    private static final Duration LOST = Duration.ofMinutes(10);
    /** No Idempotency-Key has a space. */
    private static final String LOST_NAME = "lost ";

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    /** Each new entry clears a few old ones, so that nothing else has to. */
    private static final int FORGOTTEN_EACH_TIME = 4;

    private static final int TRIES = 20;

    private final Store store;
    private final Clock clock;
    private final SecureRandom random;
    private final Map<String, Lock> underWay = new ConcurrentHashMap<>();

    public Idempotency(Store store, Clock clock, SecureRandom random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /** An answer, and whether it was given before. */
    public static final class Kept {
        private final byte[] answer;
        private final boolean replayed;

        private Kept(byte[] answer, boolean replayed) {
            this.answer = answer;
            this.replayed = replayed;
        }

        public byte[] answer() {
            return answer;
        }

        public boolean replayed() {
            return replayed;
        }
    }

    /** Who asks for what: the caller and its secret, and the fingerprint of the request. */
    public record Maker(Permit permit, String callerSecret, String fingerprint) {
        private String name() {
            return LOST_NAME + fingerprint;
        }

        private SecretKeySpec seal() {
            return sealFor(callerSecret, name());
        }

        private Optional<Keeping> find(Tables tables, Instant notBefore) {
            return tables.findKeeping(permit.caller().keyId(), name(), notBefore);
        }

        @Override
        public String toString() {
            return "Maker[" + permit.caller().keyId() + "]";
        }
    }

    /** The thing that a request made, and the answer that did not reach its caller. */
    public static final class Lost {
        private final UUID made;
        private final byte[] answer;

        public Lost(UUID made, byte[] answer) {
            this.made = made;
            this.answer = answer;
        }

        public byte[] answer() {
            return answer;
        }
    }

    /** Keeps an answer that could not be delivered. */
    public void keepLost(Maker maker, Lost lost) {
        byte[] sealed = crypt(Cipher.ENCRYPT_MODE, maker.seal(), nonce(), lost.answer);
        Instant now = clock.now();
        store.change(tables -> keep(tables, maker.permit(), maker.name(), lost.made.toString(), sealed, now));
    }

    /** Takes the answer that was lost to the same request of the same caller, unless what was made is gone since. */
    public Optional<Lost> takeLost(Maker maker, BiPredicate<Tables, UUID> there) {
        Instant notBefore = clock.now().minus(LOST);
        // Nearly always there is none, so nothing waits for a write to find out.
        if (store.read(tables -> maker.find(tables, notBefore)).isEmpty()) {
            return Optional.empty();
        }
        return store.write(tables -> maker.find(tables, notBefore).flatMap(keeping -> {
            tables.forgetKeeping(keeping.keyId(), keeping.idempotencyKey());
            UUID made = UUID.fromString(keeping.fingerprint());
            return there.test(tables, made)
                    ? Optional.of(new Lost(made, open(keeping, maker.seal())))
                    : Optional.empty();
        }));
    }

    /** Does the work each time. */
    public <T> T each(Supplier<Prepared<T>> work) {
        for (int tried = 1; ; tried++) {
            Prepared<T> prepared = work.get();
            try {
                return store.write(prepared::write);
            } catch (TakenMeanwhile taken) {
                if (tried == TRIES) {
                    throw new StoreUnavailable("What was drawn for it was taken every time", taken);
                }
            }
        }
    }

    /** Does the work and keeps its answer, or gives the answer kept for the same key and the same request. */
    public Kept once(
            Permit permit,
            String idempotencyKey,
            String callerSecret,
            String fingerprint,
            Supplier<Prepared<byte[]>> work) {
        SecretKeySpec seal = sealFor(callerSecret, idempotencyKey);
        Function<Tables, Optional<Kept>> kept = tables -> tables.findKeeping(
                        permit.caller().keyId(), idempotencyKey, clock.now().minus(KEPT))
                .map(keeping -> replay(keeping, fingerprint, seal));
        return alone(
                permit.caller().keyId() + idempotencyKey,
                () -> store.read(kept)
                        .orElseGet(() -> each(() -> {
                            Prepared<byte[]> prepared = work.get();
                            return tables -> kept.apply(tables).orElseGet(() -> {
                                byte[] answer = prepared.write(tables);
                                byte[] sealed = crypt(Cipher.ENCRYPT_MODE, seal, nonce(), answer);
                                keep(tables, permit, idempotencyKey, fingerprint, sealed, clock.now());
                                return new Kept(answer, false);
                            });
                        })));
    }

    private static void awaitEnd(Lock lock) {
        lock.lock();
        try {
            // Nothing is done under it: only its holder's work had to end.
        } finally {
            lock.unlock();
        }
    }

    private <T> T alone(String name, Supplier<T> work) {
        Lock mine = new ReentrantLock();
        mine.lock();
        try {
            // Once a holder has ended, another request that waited may be faster.
            for (Lock other = underWay.putIfAbsent(name, mine);
                    other != null;
                    other = underWay.putIfAbsent(name, mine)) {
                awaitEnd(other);
            }
            return work.get();
        } finally {
            underWay.remove(name, mine);
            mine.unlock();
        }
    }

    private static Kept replay(Keeping kept, String fingerprint, SecretKeySpec seal) {
        if (!kept.fingerprint().equals(fingerprint)) {
            throw new Refused(
                    Refused.Reason.UNPROCESSABLE, "This Idempotency-Key was used with another request: take a new one");
        }
        return new Kept(open(kept, seal), true);
    }

    private static byte[] open(Keeping kept, SecretKeySpec seal) {
        byte[] sealed = Base64.getDecoder().decode(kept.sealedAnswer());
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        byte[] rest = Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length);
        byte[] opened = crypt(Cipher.DECRYPT_MODE, seal, nonce, rest);
        return Arrays.copyOfRange(opened, NONCE_BYTES, opened.length);
    }

    private static void keep(
            Tables tables, Permit permit, String idempotencyKey, String fingerprint, byte[] sealed, Instant now) {
        tables.forgetKeepings(now.minus(KEPT), FORGOTTEN_EACH_TIME);
        tables.keep(new Keeping(permit.caller().keyId(), idempotencyKey, fingerprint, SecretHash.base64(sealed), now));
    }

    private byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** The key is bound to the caller's secret and to the idempotency key, so that each answer has its own. */
    private static SecretKeySpec sealFor(String callerSecret, String idempotencyKey) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(callerSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return new SecretKeySpec(
                    mac.doFinal(("idempotency:" + idempotencyKey).getBytes(StandardCharsets.UTF_8)), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }

    /** Encrypts to nonce + sealed text, or opens a sealed text to nonce + plain text. */
    private static byte[] crypt(int mode, SecretKeySpec seal, byte[] nonce, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, seal, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] output = cipher.doFinal(input);
            byte[] joined = Arrays.copyOf(nonce, nonce.length + output.length);
            System.arraycopy(output, 0, joined, nonce.length, output.length);
            return joined;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A kept answer cannot be sealed or opened", e);
        }
    }
}
