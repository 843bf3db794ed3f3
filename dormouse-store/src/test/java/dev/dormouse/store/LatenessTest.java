package dev.dormouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.page.Lateness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenessTest {
    private static List<Long> of(long... millis) {
        List<Long> buckets = new ArrayList<>(Lateness.NONE);
        for (long late : millis) {
            buckets.set(
                    Lateness.bucket(Duration.ofMillis(late)),
                    buckets.get(Lateness.bucket(Duration.ofMillis(late))) + 1);
        }
        return buckets;
    }

    @Test
    void everyLatenessHasABucket() {
        assertThat(Lateness.bucket(Duration.ofMillis(-5))).isZero();
        assertThat(Lateness.bucket(Duration.ZERO)).isZero();
        assertThat(Lateness.bucket(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(Lateness.bucket(Duration.ofMillis(9))).isEqualTo(3);
        assertThat(Lateness.bucket(Duration.ofDays(1_000))).isEqualTo(Lateness.BUCKETS - 1);
    }

    @Test
    void percentileIsWithinTheBucketOfItsRank() {
        assertThat(Lateness.percentile(Lateness.NONE, 0.5)).isEmpty();
        assertThat(Lateness.percentile(of(7), 0.99)).contains(Duration.ofMillis(10));
        assertThat(Lateness.percentile(of(0, 0, 0, 0), 0.5)).contains(Duration.ofNanos(500_000));
        assertThat(Lateness.percentile(of(0, 0, 0, 30), 0.5).orElseThrow()).isLessThan(Duration.ofMillis(1));
        assertThat(Lateness.percentile(of(0, 0, 0, 30), 0.99).orElseThrow())
                .isBetween(Duration.ofMillis(20), Duration.ofMillis(50));
        assertThat(Lateness.percentile(of(10_000_000), 0.99)).contains(Duration.ofMinutes(10));
    }
}
