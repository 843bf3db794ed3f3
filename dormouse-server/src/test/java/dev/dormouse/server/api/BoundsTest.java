package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the API bounds by itself, without a store. */
class BoundsTest {

    @Test
    @Timeout(30)
    void onlySoManyWaitAtATime() throws InterruptedException {
        LongWaits waits = new LongWaits();
        CountDownLatch begun = new CountDownLatch(64);
        CountDownLatch end = new CountDownLatch(1);
        Thread[] threads = new Thread[64];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> waits.during(() -> {
                begun.countDown();
                return await(end);
            }));
            threads[i].start();
        }
        begun.await();
        assertThatThrownBy(() -> waits.during(() -> "one more")).isInstanceOfSatisfying(ApiProblem.class, problem -> {
            assertThat(problem.response().status()).isEqualTo(429);
            assertThat(problem.response().headers()).containsEntry("Retry-After", "1");
        });
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(waits.during(() -> "again")).isEqualTo("again");
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }

    @Test
    void nobodyWaitsForLongerThanAMinute() {
        assertThat(LongWaits.checked("?wait", Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(60));
        assertThat(LongWaits.checked("?wait", Duration.ofSeconds(-1))).isZero();
        assertThatThrownBy(() -> LongWaits.checked("?wait", Duration.ofSeconds(61)))
                .isInstanceOf(ApiProblem.class);
    }

    @Test
    void cursorsAreTextsForUrlsAndTellTheirTime() {
        String place = "0:01a1e389-d4c2-7dfb-9c8d-f6f8625c2ce3order/ü";
        String cursor = Cursors.encode(place);
        assertThat(cursor).matches("[A-Za-z0-9_-]+");
        assertThat(Cursors.decode(cursor)).isEqualTo(place);
        assertThat(Cursors.time(place)).contains(Instant.ofEpochMilli(0x01a1e389d4c2L));
        assertThat(Cursors.time("0:")).isEqualTo(Optional.empty());
        assertThat(Cursors.time("0:" + "x".repeat(40))).isEqualTo(Optional.empty());
    }

    @Test
    void pathsAreDecodedStrictly() {
        assertThat(Percent.decode("a+b%20%C3%BC%2F")).isEqualTo("a+b ü/");
        for (String bad : new String[] {"%", "%1", "%zz", "%C3", "%FF", "%+1", "%-1", "x%ED%A0%80"}) {
            assertThatThrownBy(() -> Percent.decode(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
