package io.pilothouse.testkit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/** A thread for each call to the outside, where a test has calls hang, deaf to interrupts, until it lets them go. */
public final class CallThreads implements Executor {
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void execute(Runnable call) {
        threads.add(Thread.ofVirtual().start(call));
    }

    /** Returns once the calls are let go. */
    public void hang() {
        boolean waiting = true;
        while (waiting) {
            try {
                release.await();
                waiting = false;
            } catch (InterruptedException e) {
                // The call that a time limit is for: it does not listen.
                waiting = true;
            }
        }
    }

    /** Lets all calls go and waits until each of them has come back. */
    public void letGo() throws InterruptedException {
        release.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
