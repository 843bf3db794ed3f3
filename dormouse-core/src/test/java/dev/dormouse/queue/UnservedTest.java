package dev.dormouse.queue;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Due runs that no live node serves: one log line, and a mark in descriptions and in the pulse. */
class UnservedTest {
    private static final String LOGGER = "dev.dormouse.internal.engine.command.UnservedLanes";

    private final Logger logger = (Logger) LoggerFactory.getLogger(LOGGER);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static DormouseBuilder parent(DormouseBuilder node) {
        return node.workflow(
                "parent",
                String.class,
                String.class,
                (ctx, text) -> ctx.child("misspelled", "kid", ChildOptions.DEFAULT, String.class, text)
                        .get());
    }

    @Test
    void childOfATypeThatNoNodeHasIsLoggedOnceWithinHalfAMinute() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(UnservedTest::parent);
            dormouse.start("parent", "p", String.class, "x");
            sim.advance(Duration.ofSeconds(30));
            assertThat(warnings())
                    .singleElement()
                    .asString()
                    .contains("No living node executes workflow type 'misspelled'")
                    .contains("'kid'");
            sim.advance(Duration.ofMinutes(5));
            assertThat(warnings()).hasSize(1);
            String trouble =
                    dormouse.find("kid", String.class).orElseThrow().describe().trouble();
            assertThat(trouble).startsWith("No living node executes workflow type 'misspelled'");
            assertThat(dormouse.statistics().unserved())
                    .singleElement()
                    .satisfies(found -> assertThat(found.type()).isEqualTo("misspelled"))
                    .satisfies(found -> assertThat(found.workflowId()).isEqualTo("kid"));
        });
    }

    @Test
    void queueThatNoNodeServesIsLoggedUntilANodeServesIt() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(UnservedTest::echo);
            WorkflowHandle<String> handle =
                    dormouse.start("echo", "e", StartOptions.DEFAULT.withQueue("slow"), TypeRef.of(String.class), "x");
            sim.advance(Duration.ofSeconds(30));
            assertThat(warnings())
                    .singleElement()
                    .asString()
                    .contains("from queue 'slow'")
                    .contains("queue(\"slow\"");
            assertThat(dormouse.statistics().unserved()).hasSize(1);
            sim.open(node -> echo(node).queue("slow", QueueOptions.DEFAULT));
            assertThat(sim.result(handle)).isEqualTo("x");
            assertThat(dormouse.statistics().unserved()).isEmpty();
        });
    }

    private static DormouseBuilder echo(DormouseBuilder node) {
        return node.workflow("echo", String.class, String.class, (ctx, text) -> text);
    }

    @Test
    void typeOfAnotherNodeIsNotLoggedWhileThatNodeIsBusy() {
        simulate(sim -> {
            log.list.clear();
            sim.open(node -> echo(node).maxExecuting(1).workflow("busy", String.class, String.class, (ctx, text) -> {
                ctx.step("work", () -> sim.advance(Duration.ofMinutes(4)));
                return text;
            }));
            Dormouse client = sim.open(node -> node.remoteWorkflow("echo").remoteWorkflow("busy"));
            client.start("busy", "b", StartOptions.DEFAULT, TypeRef.of(String.class), "x");
            sim.advance(Duration.ofSeconds(1));
            WorkflowHandle<String> waits =
                    client.start("echo", "e", StartOptions.DEFAULT, TypeRef.of(String.class), "x");
            sim.advance(Duration.ofMinutes(3));
            assertThat(waits.describe().status()).isEqualTo(RunStatus.PENDING); // due for three minutes
            assertThat(waits.describe().trouble()).isEmpty();
            assertThat(client.statistics().unserved()).isEmpty();
            assertThat(warnings()).isEmpty();
            assertThat(sim.result(waits)).isEqualTo("x");
        });
    }

    @Test
    void manyLanesThatNoNodeServesDoNotFillTheLog() {
        simulate(sim -> {
            log.list.clear();
            Dormouse dormouse = sim.open(UnservedTest::echo);
            for (int i = 0; i < 30; i++) {
                dormouse.start(
                        "echo", "e-" + i, StartOptions.DEFAULT.withQueue("tenant-" + i), TypeRef.of(String.class), "x");
            }
            sim.advance(Duration.ofSeconds(55));
            assertThat(warnings().size()).isBetween(1, 10);
            assertThat(dormouse.statistics().unserved()).hasSize(30);
            sim.advance(Duration.ofMinutes(8));
            assertThat(warnings()).as("each of them in the end").hasSize(30);
        });
    }
}
