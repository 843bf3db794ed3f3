package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.ConcurrencyLimit;
import dev.dormouse.server.request.PageCursors;
import dev.dormouse.server.request.PercentDecoder;
import dev.dormouse.server.request.QueryParameters;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits of the API itself, without HTTP. */
class ApiLimitsTest {
    private static final Caller ADA = new Caller("ada", Role.READER);
    private static final Caller EVE = new Caller("eve", Role.READER);
    private static final Caller BOB = new Caller("bob", Role.OPERATOR);

    @Test
    @Timeout(30)
    void numberOfWaitingRequestsIsLimited() throws InterruptedException {
        LongPolls waits = new LongPolls();
        CountDownLatch begun = new CountDownLatch(64);
        CountDownLatch end = new CountDownLatch(1);
        Thread[] threads = new Thread[64];
        for (int i = 0; i < threads.length; i++) {
            Caller caller = i % 2 == 0 ? ADA : EVE;
            threads[i] = new Thread(() -> waits.waitAsReader(caller, () -> {
                begun.countDown();
                return await(end);
            }));
            threads[i].start();
        }
        begun.await();
        assertThatThrownBy(() -> waits.waitAsReader(BOB, () -> "one more"))
                .isInstanceOfSatisfying(ApiProblem.class, problem -> {
                    assertThat(ErrorResponses.of(problem).status()).isEqualTo(429);
                    assertThat(ErrorResponses.of(problem).headers()).containsEntry("Retry-After", "1");
                });
        assertThat(waits.waitAsOperator(BOB, () -> "a change")).isEqualTo("a change");
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(waits.waitAsReader(ADA, () -> "again")).isEqualTo("again");
    }

    @Test
    void oneCallerCannotTakeAllPermits() {
        ConcurrencyLimit places = new ConcurrencyLimit(4, 2);
        List<ConcurrencyLimit.Permit> taken = new ArrayList<>();
        for (String who : List.of("eve", "eve", "ada")) {
            taken.add(places.acquire(who).orElseThrow());
        }
        assertThat(places.acquire("eve")).isEmpty();
        taken.add(places.acquire("bob").orElseThrow());
        assertThat(places.acquire("carl")).as("all are taken").isEmpty();
        taken.forEach(ConcurrencyLimit.Permit::close);
        assertThat(places.acquire("eve")).isPresent();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }

    /** The DAG's code may be on nodes that do not answer. */
    @Test
    void dagRequestsCountAsWaitingRequests(@TempDir Path folder) {
        Dags dags =
                Dags.of(Dag.workflow("nap").sleep("sleep", Duration.ofHours(1)).build());
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("dags.db"))
                .plugin(dags)
                .open()) {
            dags.start("nap", "nap-1", Map.of());
            LongPolls waits = new LongPolls();
            Route dag = new DagsApi(dags, waits)
                    .routes().stream()
                            .filter(route -> route.pattern().endsWith("/dag"))
                            .findFirst()
                            .orElseThrow();
            Call call = new Call(Map.of("id", "nap-1"), new QueryParameters(Map.of(), List.of()), new byte[0], ADA);
            assertThat(dag.handler().answer(call).status()).isEqualTo(200);
            assertThatThrownBy(() -> nested(waits, 32, () -> dag.handler().answer(call)))
                    .isInstanceOfSatisfying(
                            ApiProblem.class,
                            problem -> assertThat(ErrorResponses.of(problem).status())
                                    .isEqualTo(429));
        }
    }

    private static <T> T nested(LongPolls waits, int times, Supplier<T> inside) {
        return times == 0 ? inside.get() : waits.waitAsReader(ADA, () -> nested(waits, times - 1, inside));
    }

    @Test
    void waitsOfMoreThanAMinuteAreRefused() {
        assertThat(LongPolls.checked("?wait", Duration.ofSeconds(60))).isEqualTo(Duration.ofSeconds(60));
        assertThat(LongPolls.checked("?wait", Duration.ofSeconds(-1))).isZero();
        assertThatThrownBy(() -> LongPolls.checked("?wait", Duration.ofSeconds(61)))
                .isInstanceOf(ApiProblem.class);
    }

    @Test
    void cursorsNeedNoEncodingAndContainTheirTime() {
        String place = "0:01a1e389-d4c2-7dfb-9c8d-f6f8625c2ce3order/ü";
        String cursor = PageCursors.encode(place);
        assertThat(cursor).matches("[A-Za-z0-9_-]+");
        assertThat(PageCursors.decode(cursor)).isEqualTo(place);
        assertThat(PageCursors.time(place)).contains(Instant.ofEpochMilli(0x01a1e389d4c2L));
        assertThat(PageCursors.time("0:")).isEqualTo(Optional.empty());
        assertThat(PageCursors.time("0:" + "x".repeat(40))).isEqualTo(Optional.empty());
    }

    @Test
    void pathsAreDecodedStrictly() {
        assertThat(PercentDecoder.decode("a+b%20%C3%BC%2F")).isEqualTo("a+b ü/");
        for (String bad : new String[] {"%", "%1", "%zz", "%C3", "%FF", "%+1", "%-1", "x%ED%A0%80"}) {
            assertThatThrownBy(() -> PercentDecoder.decode(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
