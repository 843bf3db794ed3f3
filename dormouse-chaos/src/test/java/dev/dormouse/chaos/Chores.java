package dev.dormouse.chaos;

import dev.dormouse.Activity;
import dev.dormouse.ActivityFailure;
import dev.dormouse.ActivityInfo;
import dev.dormouse.ActivityInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Activities, good and bad. Those with a result tell the number of the attempt that it is from. */
@ActivityInterface
public interface Chores {

    /** Takes so many milliseconds. */
    int work(long millis);

    /** Counts to a number, so many milliseconds each, and says where it is. Goes on from what was said before. */
    int count(int to, long millis);

    /** Fails, if this is its first attempt. */
    int fail();

    /** Pauses so many milliseconds, once. */
    int pause(long millis);

    /** Never ends, whatever it is told. */
    int loop();

    /** Throws an Error. */
    int crash();

    /** Ends its process, if this is its first attempt. */
    int exit();

    /** Returns what nobody can write as JSON. */
    Endless odd();

    /** Something that can be undone. One that is called bad fails for good. */
    void act(String what);

    void undo(String what, long millis);

    /** It contains itself. */
    record Endless(List<Object> itself) {}

    /** Does them, and writes down each attempt under a name such as {@code work-2}. */
    final class Implementation implements Chores {
        private final Journal.Writer journal;

        Implementation(Journal.Writer journal) {
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
            write(Deed.Kind.WOKE, "at-" + said.orElse(0));
            for (int i = said.orElse(0) + 1; i <= to; i++) {
                pass(millis);
                Activity.heartbeat(i);
                write(Deed.Kind.ENDED, "at-" + i);
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
                throw ActivityFailure.nonRetryable(what);
            }
        }

        @Override
        public void undo(String what, long millis) {
            began("undo-" + what);
            pass(millis);
        }

        private int began(String what) {
            int attempt = Activity.info().attempt();
            write(Deed.Kind.BEGAN, what + "-" + attempt);
            return attempt;
        }

        private void write(Deed.Kind kind, String name) {
            ActivityInfo info = Activity.info();
            journal.write(kind, info.workflowId(), info.runId(), name);
        }

        /** Deaf to interrupts. */
        private static void pass(long millis) {
            long end = System.nanoTime() + millis * 1_000_000;
            for (long left = millis * 1_000_000; left > 0; left = end - System.nanoTime()) {
                try {
                    if (new CountDownLatch(1).await(left, TimeUnit.NANOSECONDS)) {
                        throw new AssertionError("nobody opens this latch");
                    }
                } catch (InterruptedException deaf) {
                    // goes on
                }
            }
        }
    }
}
