package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.store.base.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The lines that an outage writes in a program that embeds Dormouse and logs everything from level INFO on, HikariCP and
 * the driver included: at most ten.
 */
@Tag("once")
@Timeout(180)
class OutageLinesTest {
    private static final int MOST_LINES = 10;
    private static final int RUNS = 12;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final DriverLog driverLog = new DriverLog();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();

    /** Lines of java.util.logging, which the driver uses. */
    private static final class DriverLog extends Handler {
        final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= java.util.logging.Level.INFO.intValue()) {
                lines.add(line.getLevel() + " " + line.getLoggerName() + ": " + line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void listen() {
        log.start();
        root.setLevel(Level.INFO);
        root.addAppender(log);
        LogManager.getLogManager().getLogger("").addHandler(driverLog);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(log);
        root.setLevel(Level.WARN);
        LogManager.getLogManager().getLogger("").removeHandler(driverLog);
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>(driverLog.lines);
        for (ILoggingEvent event : List.copyOf(log.list)) {
            boolean isOfServer = event.getLoggerName().startsWith("io.zonky"); // which the test starts and stops
            boolean isOfStep = event.getFormattedMessage().startsWith("Attempt "); // user code, limited by itself
            if (!isOfServer && !isOfStep) {
                lines.add(event.getLevel() + " " + event.getLoggerName() + ": " + event.getFormattedMessage());
            }
        }
        return lines;
    }

    /** Adds runs that use all pools of a node at once, until the outage is over. */
    private DormouseBuilder busy(DormouseBuilder builder) {
        return builder.workflow("w", Integer.class, Integer.class, (ctx, first) -> {
            int round = 0;
            while (!ctx.step("look", Boolean.class, isOver::get)) {
                ctx.transaction("row", connection -> {});
                rounds.incrementAndGet();
                ctx.sleep(Duration.ofMillis(100));
                round++;
            }
            return round;
        });
    }

    /** Starts runs and waits until they have used all pools. */
    private List<WorkflowHandle<Integer>> start(Dormouse dormouse, String name) {
        int before = rounds.get();
        List<WorkflowHandle<Integer>> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(dormouse.start("w", name + i, Integer.class, i));
        }
        await().atMost(SOON).until(() -> rounds.get() >= before + RUNS);
        return runs;
    }

    /** A caller asks again, because its own read may meet a session that is being ended. */
    private void assertEnd(List<WorkflowHandle<Integer>> runs) {
        isOver.set(true);
        for (WorkflowHandle<Integer> run : runs) {
            await().atMost(SOON)
                    .ignoreException(StoreException.class)
                    .untilAsserted(() -> assertThat(run.result(SOON)).isPositive());
        }
    }

    private void assertFewLines() {
        assertThat(lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
        assertThat(lines()).noneMatch(line -> line.contains("hikari") && !isOfFirstConnection(line));
    }

    /**
     * Returns true for the line that HikariCP writes if the very first connection of a pool breaks while it is set up. A pool
     * writes it once at most; the pool for renewals connects seconds after the others.
     */
    private static boolean isOfFirstConnection(String line) {
        return line.contains("Default transaction isolation level detection failed");
    }

    /** Ends sessions of this node. Returns how many there were. */
    private static int kill(String condition) {
        return count("count(pg_terminate_backend(pid))", condition);
    }

    private static int count(String what, String condition) {
        return Integer.parseInt(TestPostgres.query(
                "select " + what + " from pg_stat_activity where application_name = 'dormouse' and " + condition));
    }

    private Dormouse open() {
        return busy(Dormouse.builder().store(TestPostgres.url()).schema(TestPostgres.newSchema()))
                .open();
    }

    @Test
    void connectionsThatBreakWhileTheyAreUsedWriteFewLines() {
        try (Dormouse dormouse = open()) {
            List<WorkflowHandle<Integer>> runs = start(dormouse, "run");
            int[] killed = new int[2];
            await().atMost(SOON).pollInterval(Duration.ofMillis(100)).until(() -> {
                killed[0] += kill("state <> 'idle'");
                killed[1] += kill("state = 'idle'");
                return killed[0] >= 1 && killed[1] >= 40;
            });
            assertEnd(runs);
            assertFewLines();
        }
    }

    @Test
    void connectionsThatBreakWhileTheyAreIdleWriteFewLines() {
        try (Dormouse dormouse = open()) {
            assertEnd(start(dormouse, "first"));
            await().atMost(SOON).until(() -> count("count(*)", "state_change < now() - interval '1 second'") >= 4);
            assertThat(kill("true")).isGreaterThanOrEqualTo(4);
            isOver.set(false);
            assertEnd(start(dormouse, "second"));
            assertFewLines();
        }
    }

    @Test
    void serverThatIsStoppedAndStartedWritesFewLines(@TempDir Path directory) throws Exception {
        try (PostgresServer server = new PostgresServer(directory.resolve("data"))) {
            server.execute(SqlTimerNode.script());
            server.execute("select timers.enable_role('postgres')");
            try (SqlTimerNode timers = SqlTimerNode.builder().url(server.url()).open();
                    Dormouse dormouse =
                            busy(Dormouse.builder().store(server.url())).open()) {
                List<WorkflowHandle<Integer>> runs = start(dormouse, "run");
                log.list.clear(); // warnings about the settings of the test's server
                for (int i = 0; i < 2; i++) {
                    server.stop();
                    await().atMost(SOON).until(() -> !dormouse.outages().isEmpty());
                    server.start();
                }
                assertEnd(runs);
                server.execute("select timers.schedule_in('0 seconds', 'create table fired ()')");
                await().atMost(SOON).ignoreExceptions().untilAsserted(() -> server.execute("select from fired"));
                assertThat(timers.outages()).hasSizeLessThanOrEqualTo(1);
                assertFewLines();
                assertThat(lines()).anyMatch(line -> line.contains("The store cannot be reached"));
            }
        }
    }
}
