package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.internal.history.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The lateness of sleeps on an idle node. */
@ExtendWith(LogOnFailure.class)
class PunctualityTest {
    private static final int SLEEPS = 1_000;

    @TempDir
    Path directory;

    @Test
    void noSleepOnSqliteEndsEarly() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            assertNeverEarly(cluster, "SQLite");
        }
    }

    @Test
    void noSleepOnPostgresEndsEarly() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            assertNeverEarly(cluster, "PostgreSQL");
        }
    }

    /**
     * The worker has looked before the runs were stored, and looks again only after 10 s: it depends on the
     * notification.
     */
    @Test
    void delayedStartsFromAnotherProcessBeginOnTime() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            WorkerHandle client = cluster.worker("code=none");
            cluster.worker();
            client.order("later delayed- 200 2000 20000 a:1");
            cluster.awaitCompleted(200, Duration.ofSeconds(30));

            Map<UUID, Instant> startAt = new HashMap<>();
            cluster.database()
                    .histories()
                    .forEach((run, events) -> startAt.put(run, ((Event.RunStarted) events.get(0)).startAt()));
            report(
                    "200 delayed starts over 4 s from another process begin",
                    cluster.journal().entries(JournalEntry.Kind.BEGAN),
                    startAt);
            assertThat(cluster.journal().entries(JournalEntry.Kind.BEGAN))
                    .allSatisfy(entry -> assertThat(entry.at())
                            .isBetween(
                                    startAt.get(entry.runId()),
                                    startAt.get(entry.runId()).plusSeconds(5)));
        }
    }

    /** Sleeps that end every 10 ms: half of them short enough for memory, half of them rows. */
    private static void assertNeverEarly(ChaosCluster cluster, String store) {
        WorkerHandle worker = cluster.worker("maxParkTime=6000");
        worker.order("spread sleep- " + SLEEPS + " 2000 10");
        cluster.awaitCompleted(SLEEPS, Duration.ofSeconds(60));

        Map<UUID, Instant> deadlines = new HashMap<>();
        Map<UUID, Instant> fired = new HashMap<>();
        cluster.database()
                .histories()
                .forEach((run, events) -> events.forEach(event -> {
                    if (event instanceof Event.TimerScheduled timer) {
                        deadlines.put(run, timer.deadline());
                    } else if (event instanceof Event.TimerFired timer) {
                        fired.put(run, timer.at());
                    }
                }));
        assertThat(fired).hasSize(SLEEPS);
        assertThat(fired).allSatisfy((run, at) -> assertThat(at).isAfterOrEqualTo(deadlines.get(run)));
        List<JournalEntry> woke = cluster.journal().entries(JournalEntry.Kind.WOKE);
        assertThat(woke).hasSize(SLEEPS);
        assertThat(woke).allSatisfy(entry -> assertThat(entry.at()).isAfterOrEqualTo(deadlines.get(entry.runId())));
        report("1,000 sleeps over 10 s on " + store + " end", woke, deadlines);
    }

    private static void report(String what, List<JournalEntry> deeds, Map<UUID, Instant> due) {
        long[] late = deeds.stream()
                .mapToLong(entry ->
                        Duration.between(due.get(entry.runId()), entry.at()).toNanos())
                .toArray();
        Measurements.reportLateness(what, late);
    }
}
