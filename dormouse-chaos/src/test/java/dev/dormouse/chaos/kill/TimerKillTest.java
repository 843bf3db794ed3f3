package dev.dormouse.chaos.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.chaos.cluster.BookingTables;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.chaos.process.WorkerHandle;
import dev.dormouse.chaos.process.WorkerTimerCommands;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Crashes while a thousand timers fire, whose handlers each write a row in the transaction of their firing. */
@ExtendWith(LogOnFailure.class)
class TimerKillTest {
    private static final int TIMERS = 1_000;
    private static final String[] SETTINGS = {"code=timers", "lease=2000", "sweep=500"};

    @TempDir
    Path directory;

    @Test
    void eachRowExistsOnceAfterAKillOnSqlite() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory)) {
            BookingTables.create(cluster);
            WorkerHandle victim = begin(cluster);
            victim.kill();
            cluster.worker(SETTINGS);
            assertEachOnce(cluster);
        }
    }

    @Test
    void eachRowExistsOnceAfterAKillOnPostgres() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            BookingTables.create(cluster);
            cluster.worker(SETTINGS);
            WorkerHandle victim = begin(cluster);
            victim.kill();
            assertEachOnce(cluster);
        }
    }

    @Test
    void eachRowExistsOnceAfterAllConnectionsWereCut() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            BookingTables.create(cluster);
            cluster.worker(SETTINGS);
            begin(cluster);
            int cut = 0;
            for (int i = 0; i < 3; i++) {
                cut += ChaosPostgres.killConnections();
                int before = booked(cluster).size();
                await(() -> booked(cluster).size() > before || booked(cluster).size() == TIMERS);
            }
            assertThat(cut).isPositive();
            assertEachOnce(cluster);
        }
    }

    @Test
    void eachRowExistsOnceAfterTheDatabaseWasStopped() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            BookingTables.create(cluster);
            cluster.worker(SETTINGS);
            begin(cluster);
            ChaosPostgres.stop();
            ChaosPostgres.start();
            assertEachOnce(cluster);
        }
    }

    @Test
    void eachRowExistsOnceAfterTheDatabaseCrashed() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            BookingTables.create(cluster);
            cluster.worker(SETTINGS);
            begin(cluster);
            for (int i = 0; i < 2; i++) {
                ChaosPostgres.crash();
                await(() -> !booked(cluster).isEmpty()); // it answers again
            }
            assertEachOnce(cluster);
        }
    }

    /** Handlers with effects outside the database are called again by the surviving node, as their next attempt. */
    @Test
    void interruptedHandlersAreCalledAgain() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            cluster.createTables();
            WorkerHandle victim = cluster.launch(List.of("-D" + WorkerTimerCommands.STAY_MILLIS + "=60000"), SETTINGS)
                    .awaitReady();
            victim.order("timers write t 200 1500");
            await(() -> cluster.journal().entries(JournalEntry.Kind.BEGAN).size() > 50);
            victim.kill();
            List<String> cutOff = cluster.journal().entries(JournalEntry.Kind.BEGAN).stream()
                    .map(JournalEntry::workflowId)
                    .toList();
            cluster.worker(SETTINGS);
            await(() -> cluster.database().statuses().equals(Map.of(RunStatus.COMPLETED, 200L)));
            List<JournalEntry> deeds = cluster.journal().entries(JournalEntry.Kind.BEGAN);
            assertThat(deeds.stream().map(JournalEntry::workflowId).distinct()).hasSize(200);
            assertThat(deeds.stream().filter(entry -> entry.name().equals("attempt-1")))
                    .as("first attempts")
                    .extracting(JournalEntry::workflowId)
                    .doesNotHaveDuplicates();
            assertThat(deeds.stream().filter(entry -> entry.name().equals("attempt-2")))
                    .as("called again, beside some that were killed on the way to their handler")
                    .extracting(JournalEntry::workflowId)
                    .doesNotHaveDuplicates()
                    .containsAll(cutOff);
        }
    }

    /** Waits until some timers have fired. */
    private static WorkerHandle begin(ChaosCluster cluster) {
        WorkerHandle victim = cluster.worker(SETTINGS);
        victim.order("timers book t " + TIMERS + " 1500");
        await(() -> booked(cluster).size() > TIMERS / 20);
        assertThat(booked(cluster).size()).as("some have not fired yet").isLessThan(TIMERS);
        return victim;
    }

    private static List<String> booked(ChaosCluster cluster) {
        return cluster.database().select("select workflow_id from ${prefix}ledger", row -> row.getString(1));
    }

    private static void assertEachOnce(ChaosCluster cluster) {
        await(() -> cluster.database().statuses().equals(Map.of(RunStatus.COMPLETED, (long) TIMERS)));
        assertThat(booked(cluster))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, TIMERS).mapToObj(i -> "t" + i).toList());
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .ignoreExceptions()
                .until(condition);
    }
}
