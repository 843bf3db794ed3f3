package dev.dormouse.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.cluster.Measurements;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.Timers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Timers among a million others that are due much later. */
@Tag("long")
@ExtendWith(LogOnFailure.class)
class MillionTimersTest {
    private static final int OTHERS = 1_000_000;
    private static final int TIMERS = 1_000;
    private static final Duration MINUTE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void timersOnSqliteAreOnTimeAmongAMillionOthers() {
        try (ChaosCluster cluster = ChaosCluster.onSqlite(directory);
                Dormouse dormouse = cluster.builder().open()) {
            compare(cluster, dormouse);
        }
    }

    @Test
    void timersOnPostgresAreOnTimeAmongAMillionOthersAndCostNothingWhileIdle() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory);
                Dormouse dormouse = cluster.builder().open()) {
            compare(cluster, dormouse);
            assertIdle(cluster);
        }
    }

    private static void compare(ChaosCluster cluster, Dormouse dormouse) {
        Queue<Long> late = new ConcurrentLinkedQueue<>();
        dormouse.timers()
                .handle(
                        "late",
                        Instant.class,
                        due -> late.add(Duration.between(due, Instant.now()).toNanos()));
        measure("as a warm-up", dormouse.timers(), late);
        measure("alone", dormouse.timers(), late);
        addOthers(cluster, dormouse.timers());
        measure("among 1,000,000 others", dormouse.timers(), late);
    }

    private static void measure(String when, Timers timers, Queue<Long> late) {
        late.clear();
        Instant first = Instant.now().plusSeconds(3);
        for (int i = 0; i < TIMERS; i++) {
            Instant due = first.plusMillis(10L * i);
            timers.at(due, "late", due);
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> late.size() == TIMERS);
        long[] nanos = late.stream().mapToLong(one -> one).toArray();
        assertThat(late).allMatch(one -> one >= 0);
        Measurements.reportLateness("1,000 timers over 10 s " + when + " fire", nanos);
    }

    /** Copies a timer that the engine has written. */
    private static void addOthers(ChaosCluster cluster, Timers timers) {
        timers.after(Duration.ofDays(365), "late", TimerOptions.DEFAULT.withId("far"), Instant.EPOCH);
        List<String> columns = cluster.isPostgres()
                ? cluster.database()
                        .select(
                                "select column_name from information_schema.columns where table_schema = '"
                                        + cluster.schema() + "' and table_name = 'run' order by ordinal_position",
                                row -> row.getString(1))
                : cluster.database()
                        .select("select name from pragma_table_info('dormouse_run')", row -> row.getString(1));
        String values = columns.stream()
                .map(column -> switch (column) {
                    case "run_id" -> cluster.isPostgres() ? "gen_random_uuid()" : "randomblob(16)";
                    case "workflow_id" -> "workflow_id || '-' || g";
                    default -> column;
                })
                .collect(Collectors.joining(", "));
        String series = cluster.isPostgres()
                ? "generate_series(1, " + OTHERS + ") g"
                : "(with recursive n(g) as (select 1 union all select g + 1 from n where g < " + OTHERS
                        + ") select g from n)";
        cluster.database()
                .execute("insert into ${prefix}run (" + String.join(", ", columns) + ") select " + values
                        + " from ${prefix}run, " + series + " where workflow_id = '!far'");
        if (cluster.isPostgres()) {
            cluster.database().execute("analyze ${prefix}run");
        }
    }

    /** Counts statements while the node is idle. */
    private static void assertIdle(ChaosCluster cluster) {
        ChaosPostgres.execute("select pg_stat_statements_reset()");
        Awaitility.await().pollDelay(MINUTE).atMost(MINUTE.plusSeconds(5)).until(() -> true);
        Map<String, Long> made = SleepersTest.statements();
        long counted = made.values().stream().mapToLong(Long::longValue).sum();
        Measurements.report("statements in an idle minute with 1,000,000 timers: %d", counted);
        assertThat(counted).as("%s", made).isLessThanOrEqualTo(10);
    }
}
