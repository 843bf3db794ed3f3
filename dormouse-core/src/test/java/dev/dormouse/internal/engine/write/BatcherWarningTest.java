package dev.dormouse.internal.engine.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.support.CapturedLog;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Warnings about entries that are not applied: none repeats what the store watch has reported. */
class BatcherWarningTest {
    private static final int GOOD = 1_000;

    /** Applies entries from {@link #GOOD} on, and no other entry, for one cause. */
    private record Store(Batcher.Cause cause) implements Batcher.Kind<Integer, String> {
        @Override
        public List<String> send(List<Integer> batch) {
            return batch.stream()
                    .map(number -> number < GOOD ? "again" : "done")
                    .toList();
        }

        @Override
        public Object key(Integer number) {
            return number;
        }

        @Override
        public int bytes(Integer number) {
            return 1;
        }

        @Override
        public boolean again(String outcome) {
            return outcome.equals("again");
        }

        @Override
        public Batcher.Cause cause(String outcome) {
            return cause;
        }

        @Override
        public String failed(Throwable problem) {
            return "again";
        }
    }

    /** Returns the warnings while the first {@code entries} entries are not applied. */
    private static List<String> warnings(Batcher.Cause cause, int entries, boolean areOthersApplied) {
        SimWorld world = new SimWorld(1);
        try (CapturedLog log = new CapturedLog()) {
            world.run(() -> {
                Batcher<Integer, String> batcher =
                        new Batcher<>(world.driver().threads(), "test", 2, 8, 60, new Store(cause), () -> "closed");
                Consumer<String> ignored = outcome -> {};
                batcher.submit(GOOD, ignored);
                for (int i = 0; i < entries; i++) {
                    batcher.submit(i, ignored);
                }
                for (int second = 1; second <= 150; second++) {
                    world.sleep(Duration.ofSeconds(1));
                    if (areOthersApplied) {
                        batcher.submit(GOOD + second, ignored);
                    }
                }
                batcher.close();
            });
            return log.messages();
        }
    }

    @Test
    void outageCausesNoWarningHoweverManyEntriesWait() {
        assertThat(warnings(Batcher.Cause.OUTAGE, 1, false)).isEmpty();
        assertThat(warnings(Batcher.Cause.OUTAGE, 3, false)).isEmpty();
    }

    @Test
    void entryThatFailsWhileOthersAreAppliedIsNamed() {
        assertThat(warnings(Batcher.Cause.OUTAGE, 1, true))
                .singleElement()
                .asString()
                .contains("for 0 was not applied");
    }

    @Test
    void singleLockedEntryIsNamed() {
        assertThat(warnings(Batcher.Cause.LOCKED, 1, false)).hasSize(1);
        assertThat(warnings(Batcher.Cause.LOCKED, 1, true)).hasSize(1);
    }

    @Test
    void locksThatHoldUpSeveralEntriesCauseNoWarningUntilOthersAreApplied() {
        assertThat(warnings(Batcher.Cause.LOCKED, 3, false)).isEmpty();
        assertThat(warnings(Batcher.Cause.LOCKED, 3, true)).hasSize(2); // in two and a half minutes
    }

    @Test
    void failuresThatNothingElseReportsCauseOneWarningAMinute() {
        assertThat(warnings(Batcher.Cause.UNREPORTED, 1, false)).hasSize(1);
        assertThat(warnings(Batcher.Cause.UNREPORTED, 3, false)).hasSize(2);
    }
}
