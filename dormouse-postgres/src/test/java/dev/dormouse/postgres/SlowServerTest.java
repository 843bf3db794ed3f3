package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.postgres.sql.Schema;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A server whose answers do not come, though no connection breaks: a statement that takes long, and a frozen machine. */
@Timeout(60)
@Tag("once")
class SlowServerTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dormouse");
    private Cable cable;

    @BeforeEach
    void listen() throws IOException {
        cable = new Cable(TestPostgres.port());
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() throws IOException {
        logger.detachAppender(log);
        logger.setLevel(null);
        cable.close();
    }

    private List<String> lines() {
        return List.copyOf(log.list).stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    private Dormouse open(String schema, int port) {
        return Dormouse.builder()
                .store(TestPostgres.url().replace(":" + TestPostgres.port(), ":" + port))
                .schema(schema)
                .keepClosedRuns() // logs nothing about deletions
                .workflow("w", String.class, String.class, (ctx, input) -> {
                    for (int i = 0; i < 50; i++) {
                        ctx.step("s" + i, () -> Thread.sleep(20));
                    }
                    return "done";
                })
                .open();
    }

    /** Lets the next row of a history take 12 s, which is less than a statement may take. */
    private static void slowDown(String schema) {
        TestPostgres.execute(TestPostgres.engine(), """
                create sequence SCHEMA.slow;
                create function SCHEMA.slow() returns trigger language plpgsql as
                  'begin if nextval(''SCHEMA.slow'') = 1 then perform pg_sleep(12); end if; return new; end';
                create trigger slow before insert on SCHEMA.history for each row execute function SCHEMA.slow();
                """.replace("SCHEMA", new Schema(schema).quoted()));
    }

    @Test
    void slowStatementAndItsEndAreLoggedAfterSomeSeconds() {
        String schema = TestPostgres.newSchema();
        try (Dormouse dormouse = open(schema, TestPostgres.port())) {
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "x");
            slowDown(schema);
            await().atMost(Duration.ofSeconds(15)).until(() -> !lines().isEmpty());
            assertThat(lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN The store is slow or locked. Nothing is lost")
                    .contains("has not returned for 5 s");
            assertThat(dormouse.outages()).extracting(StoreOutage::trouble).containsExactly(StoreTrouble.BLOCKED);
            assertThat(handle.result(Duration.ofSeconds(20))).isEqualTo("done");
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> dormouse.outages().isEmpty());
            assertThat(lines()).hasSize(2);
            assertThat(lines().get(1)).startsWith("INFO The store answers in time again, after ");
        }
    }

    @Test
    void frozenServerAndItsEndAreLoggedAfterSomeSeconds() {
        try (Dormouse dormouse = open(TestPostgres.newSchema(), cable.port())) {
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "x");
            assertThat(lines()).isEmpty();
            cable.freeze();
            // a call under way hangs, and another one gets no connection: whichever is noticed first
            await().atMost(Duration.ofSeconds(15)).until(() -> !lines().isEmpty());
            assertThat(lines().get(0))
                    .matches("WARN The store (is slow or locked|cannot be reached)\\. Nothing is lost.*");
            assertThat(dormouse.outages()).isNotEmpty();
            cable.thaw();
            assertThat(handle.result(Duration.ofSeconds(20))).isEqualTo("done");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> dormouse.outages().isEmpty());
            assertThat(lines()).hasSizeBetween(2, 4);
            assertThat(lines())
                    .filteredOn(line -> line.matches("INFO The store (answers in time|can be reached) again, after .*"))
                    .hasSize(lines().size() / 2);
        }
    }
}
