package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    /** Its code may be on nodes that do not answer. */
    @Test
    void askingForADagWaitsAsWell(@TempDir Path folder) {
        Dags dags =
                Dags.of(Dag.workflow("nap").sleep("sleep", Duration.ofHours(1)).build());
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("dags.db"))
                .with(dags)
                .open()) {
            dags.start("nap", "nap-1", Map.of());
            LongWaits waits = new LongWaits();
            Route dag = new DagsApi(dags, waits)
                    .routes().stream()
                            .filter(route -> route.pattern().endsWith("/dag"))
                            .findFirst()
                            .orElseThrow();
            Call call = new Call(
                    Map.of("id", "nap-1"),
                    new Params(Map.of(), List.of()),
                    new byte[0],
                    new Caller("test", Role.READER));
            assertThat(dag.handler().answer(call).status()).isEqualTo(200);
            assertThatThrownBy(() -> nested(waits, 64, () -> dag.handler().answer(call)))
                    .isInstanceOfSatisfying(
                            ApiProblem.class,
                            problem -> assertThat(problem.response().status()).isEqualTo(429));
        }
    }

    private static <T> T nested(LongWaits waits, int times, Supplier<T> inside) {
        return times == 0 ? inside.get() : waits.during(() -> nested(waits, times - 1, inside));
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
