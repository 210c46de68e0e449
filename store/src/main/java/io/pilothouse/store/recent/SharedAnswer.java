package io.pilothouse.store.recent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks one question at a time for all who want the answer. An answer is never older than the wish for it: the question was
 * put after everyone had come who gets it, so a crowd waits for two questions at most, however large it is.
 */
public final class SharedAnswer<T> {
    private final Supplier<T> question;
    private final ReentrantLock asking = new ReentrantLock();
    private final ReentrantLock joining = new ReentrantLock();
    /** The answer to the next question, if anyone waits for it. */
    private @Nullable CompletableFuture<T> next;

    public SharedAnswer(Supplier<T> question) {
        this.question = question;
    }

    /** The answer, or what the question failed with, for each who waited for it. */
    public T get() {
        CompletableFuture<T> answer;
        boolean asks;
        joining.lock();
        try {
            asks = next == null;
            answer = next == null ? new CompletableFuture<>() : next;
            next = answer;
        } finally {
            joining.unlock();
        }
        if (asks) {
            ask(answer);
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private void ask(CompletableFuture<T> answer) {
        asking.lock();
        try {
            closeTheDoor();
            answer.complete(question.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        } finally {
            asking.unlock();
        }
    }

    private void closeTheDoor() {
        joining.lock();
        try {
            next = null;
        } finally {
            joining.unlock();
        }
    }
}
