package dev.dormouse.chaos.workload;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInfo;
import dev.dormouse.ActivityInterface;
import dev.dormouse.error.ActivityFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Activities that behave well or badly. Results are the number of the attempt. */
@ActivityInterface
public interface TestActivities {

    /** Takes {@code millis} milliseconds. */
    int work(long millis);

    /**
     * Counts to {@code to}, taking {@code millis} milliseconds for each number, with a heartbeat each. Resumes from the
     * last heartbeat.
     */
    int count(int to, long millis);

    /** Fails in its first attempt. */
    int fail();

    /** Pauses once for {@code millis} milliseconds. */
    int pause(long millis);

    /** Never ends and ignores interrupts. */
    int loop();

    /** Throws an Error. */
    int crash();

    /** Ends its process in its first attempt. */
    int exit();

    /** Returns a value that cannot be written as JSON. */
    Endless odd();

    /** An action that {@link #undo} compensates. Fails without retry if its name starts with "bad". */
    void act(String what);

    void undo(String what, long millis);

    /** A value that contains itself. */
    record Endless(List<Object> itself) {}

    /** The implementation, which records each attempt in the journal under a name such as {@code work-2}. */
    final class Implementation implements TestActivities {
        private final WorkerJournal.Writer journal;

        public Implementation(WorkerJournal.Writer journal) {
            this.journal = journal;
        }

        @Override
        public int work(long millis) {
            began("work");
            pass(millis);
            return Activity.info().attempt();
        }

        @Override
        public int count(int to, long millis) {
            Optional<Integer> said = Activity.lastHeartbeat(Integer.class);
            began("count");
            write(JournalEntry.Kind.WOKE, "at-" + said.orElse(0));
            for (int i = said.orElse(0) + 1; i <= to; i++) {
                pass(millis);
                Activity.heartbeat(i);
                write(JournalEntry.Kind.ENDED, "at-" + i);
            }
            return Activity.info().attempt();
        }

        @Override
        public int fail() {
            if (began("fail") == 1) {
                throw new IllegalStateException("not yet");
            }
            return Activity.info().attempt();
        }

        @Override
        public int pause(long millis) {
            began("pause");
            if (Activity.lastCheckpoint(Integer.class).isEmpty()) {
                Activity.checkpoint(1);
                return Activity.<Integer>pause("later", Duration.ofMillis(millis));
            }
            return Activity.info().attempt();
        }

        @Override
        public int loop() {
            began("loop");
            while (true) {
                pass(100);
            }
        }

        @Override
        public int crash() {
            began("crash");
            throw new StackOverflowError("as deep as it goes");
        }

        @Override
        public int exit() {
            if (began("exit") == 1) {
                System.exit(3);
            }
            return Activity.info().attempt();
        }

        @Override
        public Endless odd() {
            began("odd");
            List<Object> itself = new ArrayList<>();
            itself.add(itself);
            return new Endless(itself);
        }

        @Override
        public void act(String what) {
            began("act-" + what);
            if (what.startsWith("bad")) {
                throw ActivityFailedException.nonRetryable(what);
            }
        }

        @Override
        public void undo(String what, long millis) {
            began("undo-" + what);
            pass(millis);
        }

        private int began(String what) {
            int attempt = Activity.info().attempt();
            write(JournalEntry.Kind.BEGAN, what + "-" + attempt);
            return attempt;
        }

        private void write(JournalEntry.Kind kind, String name) {
            ActivityInfo info = Activity.info();
            journal.write(kind, info.workflowId(), info.runId(), name);
        }

        /** Waits and ignores interrupts. */
        private static void pass(long millis) {
            long end = System.nanoTime() + millis * 1_000_000;
            for (long left = millis * 1_000_000; left > 0; left = end - System.nanoTime()) {
                try {
                    if (new CountDownLatch(1).await(left, TimeUnit.NANOSECONDS)) {
                        throw new AssertionError("the latch is never opened");
                    }
                } catch (InterruptedException deaf) {
                    // continues
                }
            }
        }
    }
}
