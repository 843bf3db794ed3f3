package dev.dormouse.sqlite.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gaps between batches, in which other connections can take the write lock. */
class WriteLockFairnessTest {
    @Test
    void lockIsLeftFreeForAMomentAfterAWhileWithoutAGap() {
        long[] now = {0};
        List<Long> pauses = new ArrayList<>();
        WriteLockFairness fairness = new WriteLockFairness(() -> now[0], nanos -> {
            pauses.add(now[0]);
            now[0] += nanos;
        });
        long batch = WriteLockFairness.SHORT_WHILE / 4;
        hold(fairness, now, batch, 100);
        assertThat(pauses).hasSize(2);
        fairness.met();
        pauses.clear();
        hold(fairness, now, batch, 100);
        assertThat(pauses).hasSize(25);
        pauses.clear();
        for (int i = 0; i < 100; i++) {
            now[0] += WriteLockFairness.GAP;
            hold(fairness, now, batch, 1);
        }
        assertThat(pauses).isEmpty();
    }

    private static void hold(WriteLockFairness fairness, long[] now, long batch, int times) {
        for (int i = 0; i < times; i++) {
            fairness.before();
            now[0] += batch;
            fairness.after();
        }
    }
}
