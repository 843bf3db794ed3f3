package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.chaos.cluster.BookingTables;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.TimerScheduler;
import dev.dormouse.timer.TimerStatus;
import dev.dormouse.timer.Timers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers on real stores. */
@ExtendWith(LogOnFailure.class)
class TimersTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path directory;

    private ChaosCluster cluster(String store) {
        return store.equals("SQLite") ? ChaosCluster.onSqlite(directory) : ChaosCluster.onPostgres(directory);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private static TimerStatus status(Dormouse dormouse, TimerId id) {
        return dormouse.timers().get(id).orElseThrow().status();
    }

    // ---- in transactions

    @ParameterizedTest
    @ValueSource(strings = {"SQLite", "PostgreSQL"})
    void timersOfATransactionExistWhenItCommits(String store) throws SQLException {
        try (ChaosCluster cluster = cluster(store);
                Dormouse dormouse = cluster.builder().open();
                Connection connection = DriverManager.getConnection(cluster.url())) {
            Queue<String> fired = new ConcurrentLinkedQueue<>();
            dormouse.timers().handle("fire", String.class, fired::add);
            TimerId changed = dormouse.timers().after(HOUR, "fire", "changed");
            TimerId cancelled = dormouse.timers().after(HOUR, "fire", "cancelled");
            TimerId kept = dormouse.timers().after(HOUR, "fire", "kept");
            connection.setAutoCommit(false);
            TimerScheduler within = dormouse.within(connection).timers();

            TimerId lost = within.after(Duration.ZERO, "fire", "lost");
            assertThat(within.cancel(cancelled)).isTrue();
            assertThat(within.fireNow(kept)).isTrue();
            connection.rollback();
            assertThat(dormouse.timers().get(lost)).isEmpty();
            assertThat(status(dormouse, cancelled)).isEqualTo(TimerStatus.PENDING);

            TimerId there = within.after(Duration.ZERO, "fire", "there");
            TimerId both = within.after(HOUR, "fire", "both");
            assertThat(within.cancel(both)).as("of this transaction").isTrue();
            assertThat(within.cancel(cancelled)).isTrue();
            assertThat(within.reschedule(changed, Instant.now().plusMillis(300)))
                    .isTrue();
            assertThat(within.cancel(new TimerId("nobody"))).isFalse();
            assertThat(fired).isEmpty();
            connection.commit();
            await("both to fire", () -> fired.size() == 2);
            assertThat(fired).containsExactlyInAnyOrder("there", "changed");
            assertThat(List.of(status(dormouse, cancelled), status(dormouse, both)))
                    .containsOnly(TimerStatus.CANCELLED);
            assertThat(status(dormouse, kept)).isEqualTo(TimerStatus.PENDING);
            await("the end", () -> status(dormouse, there) == TimerStatus.FIRED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SQLite", "PostgreSQL"})
    void rowsOfAHandlerAndItsFiringAreCommittedTogether(String store) {
        try (ChaosCluster cluster = cluster(store)) {
            BookingTables.create(cluster);
            try (Dormouse dormouse = cluster.builder().open()) {
                AtomicInteger attempts = new AtomicInteger();
                dormouse.timers().handleInTransaction("book", String.class, (text, connection) -> {
                    try (PreparedStatement insert = connection.prepareStatement(
                            cluster.sql("insert into ${prefix}ledger (workflow_id, amount) values (?, 7)"))) {
                        insert.setString(1, text);
                        insert.executeUpdate();
                    }
                    if (attempts.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                });
                TimerId id = dormouse.timers().after(Duration.ofMillis(100), "book", "seven");
                await("the booking", () -> status(dormouse, id) == TimerStatus.FIRED);
                assertThat(attempts).hasValue(3);
                assertThat(cluster.database()
                                .select("select workflow_id from ${prefix}ledger", row -> row.getString(1)))
                        .containsExactly("seven");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SQLite", "PostgreSQL"})
    void cancelAndRescheduleRaceWithFiring(String store) throws InterruptedException {
        race(store, 400);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"SQLite", "PostgreSQL"})
    void cancelAndRescheduleRaceWithFiringManyTimes(String store) throws InterruptedException {
        race(store, 100_000);
    }

    private void race(String store, int timers) throws InterruptedException {
        try (ChaosCluster cluster = cluster(store);
                Dormouse dormouse = cluster.builder().open()) {
            Queue<Integer> fired = new ConcurrentLinkedQueue<>();
            dormouse.timers().handle("race", Integer.class, fired::add);
            Queue<Integer> cancelled = new ConcurrentLinkedQueue<>();
            ExecutorService pool = Executors.newFixedThreadPool(8);
            for (int i = 0; i < timers; i++) {
                int number = i;
                pool.execute(() -> {
                    TimerId id = dormouse.timers()
                            .after(Duration.ofMillis(20), "race", TimerOptions.DEFAULT.withId("r" + number), number);
                    if (number % 2 == 0) {
                        dormouse.timers().reschedule(id, Instant.now().plusMillis(number % 40));
                    }
                    if (dormouse.timers().cancel(id)) {
                        cancelled.add(number);
                        dormouse.timers()
                                .after(
                                        Duration.ZERO,
                                        "race",
                                        TimerOptions.DEFAULT
                                                .withId("r" + number)
                                                .withIdReuse(IdReuse.RETURN_CLOSED),
                                        -number);
                    }
                });
            }
            pool.shutdown();
            assertThat(pool.awaitTermination(300, TimeUnit.SECONDS)).isTrue();
            await("each to end", () -> fired.size() + cancelled.size() == timers);
            Set<Integer> once = new HashSet<>(fired);
            assertThat(once).hasSize(fired.size());
            once.retainAll(new HashSet<>(cancelled));
            assertThat(once).as("fired although they were cancelled").isEmpty();
            Measurements.report(
                    "%s: %d of %d timers were cancelled, the others fired", store, cancelled.size(), timers);
        }
    }

    // ---- measured

    @ParameterizedTest
    @ValueSource(strings = {"SQLite", "PostgreSQL"})
    void noTimerIsEarly(String store) {
        int timers = 300;
        try (ChaosCluster cluster = cluster(store);
                Dormouse dormouse = cluster.builder().open()) {
            Queue<Long> late = new ConcurrentLinkedQueue<>();
            dormouse.timers()
                    .handle(
                            "late",
                            Instant.class,
                            due -> late.add(Duration.between(due, Instant.now()).toNanos()));
            Instant first = Instant.now().plusSeconds(3);
            for (int i = 0; i < timers; i++) {
                Instant due = first.plusMillis(10L * i);
                dormouse.timers().at(due, "late", due);
            }
            await("all to fire", () -> late.size() == timers);
            long[] nanos = late.stream().mapToLong(one -> one).toArray();
            assertThat(late).allMatch(one -> one >= 0);
            Measurements.reportLateness("300 timers over 3 s on " + store + " fire", nanos);
        }
    }

    @Tag("long")
    @Test
    void twentyThousandAtOnce() throws InterruptedException {
        for (String store : List.of("SQLite", "PostgreSQL", "PostgreSQL", "SQLite")) {
            try (ChaosCluster cluster = cluster(store);
                    Dormouse dormouse = cluster.builder().open()) {
                drain(store, dormouse.timers());
            }
        }
    }

    private static void drain(String store, Timers timers) throws InterruptedException {
        int number = 20_000;
        AtomicInteger fired = new AtomicInteger();
        timers.handle("drain", Integer.class, i -> fired.incrementAndGet());
        Instant due = Instant.now().plusSeconds(8);
        ExecutorService pool = Executors.newFixedThreadPool(64);
        for (int i = 0; i < number; i++) {
            int one = i;
            pool.execute(() -> timers.at(due, "drain", TimerOptions.DEFAULT.withId("d" + due + one), one));
        }
        pool.shutdown();
        assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        await("the first", () -> fired.get() > 0);
        long begin = System.nanoTime();
        await("all", () -> fired.get() == number);
        Measurements.report(
                "%s: 20,000 timers due at once: %.0f a second", store, number * 1e9 / (System.nanoTime() - begin));
    }
}
