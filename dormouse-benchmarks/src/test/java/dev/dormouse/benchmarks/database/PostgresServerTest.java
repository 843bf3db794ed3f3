package dev.dormouse.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.benchmarks.load.ParallelThreads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The statistics of a real server whose sessions come and go. */
class PostgresServerTest {
    private static final int SESSIONS = 40;
    private static final int AT_A_TIME = 4;
    private static final long TICK_MILLIS = 10;

    private static final String WORK = "select sum(i) from generate_series(1, 300000) as i";

    /** The processor time of the session's own process, as the session itself reads it. */
    private static final String OWN_TICKS = """
            select stat[14]::int8 + stat[15]::int8
            from string_to_array(pg_read_file('/proc/self/stat'), ' ') as stat
            """;

    private static PostgresServer server;
    private BenchDatabase database;
    private DatabaseStatistics statistics;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void createDatabase() {
        database = server.newDatabase();
        statistics = database.insight().orElseThrow();
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void processorTimeContainsAllSessionsAndNeverDecreasesWhileTheyComeAndGo() throws Exception {
        Duration before = processorTime();
        List<Duration> during = new ArrayList<>();
        AtomicLong ticks = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        try (ParallelThreads reader = ParallelThreads.of(1, thread -> {
            while (!over.get()) {
                Duration ended = duration(ticks);
                Duration time = processorTime();
                assertThat(time.minus(before)).isGreaterThanOrEqualTo(ended);
                during.add(time);
            }
        })) {
            ParallelThreads.each(AT_A_TIME, SESSIONS, i -> ticks.addAndGet(work()));
            over.set(true);
            reader.await();
        }
        Duration after = processorTime();

        Duration worked = duration(ticks);
        assertThat(worked).isGreaterThan(Duration.ofMillis(SESSIONS * TICK_MILLIS));
        assertThat(after.minus(before)).isBetween(worked, worked.multipliedBy(2).plusSeconds(2));
        assertThat(during).isNotEmpty().isSorted();
        assertThat(during).allSatisfy(time -> assertThat(time).isBetween(before, after));
        // it has no earlier readings, so it would be less if one of them had counted anything twice
        assertThat(ServerProcess.of(new ServerUrl(database.url())).orElseThrow().processorTime())
                .isGreaterThanOrEqualTo(after);
    }

    /** Lets a session of its own work. Returns the ticks that it has used. */
    private long work() throws Exception {
        try (Connection session = DriverManager.getConnection(database.url())) {
            SingleStatements.value(session, WORK);
            return Long.parseLong(SingleStatements.value(session, OWN_TICKS));
        }
    }

    private static Duration duration(AtomicLong ticks) {
        return Duration.ofMillis(ticks.get() * TICK_MILLIS);
    }

    private Duration processorTime() {
        return statistics.processorTime().orElseThrow();
    }

    @Test
    void processorTimeOfAServerThatWasNotStartedHereIsUnknown() {
        try (PostgresServer other = PostgresServer.at(database.url());
                BenchDatabase elsewhere = other.newDatabase()) {
            assertThat(elsewhere.insight().orElseThrow().processorTime()).isEmpty();
            assertThat(elsewhere.insight().orElseThrow().walBytes()).isPositive();
        }
    }

    @Test
    void walBytesGrowByWhatIsWritten() {
        long before = statistics.walBytes();
        SingleStatements.execute(
                database.url(), "create table filler as select repeat('x', 1000) as x from generate_series(1, 2000)");
        assertThat(statistics.walBytes() - before).isBetween(2_000_000L, 10_000_000L);
    }
}
