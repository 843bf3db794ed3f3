package dev.dormouse.recovery;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.support.CapturedLog;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Takeover events in the history. */
class TakenOverTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static DormouseBuilder slow(SimulatedDormouse sim, DormouseBuilder node) {
        return node.workflow("slow", String.class, String.class, (ctx, text) -> {
            ctx.step("first", () -> sim.log("first"));
            ctx.step("second", () -> {
                sim.advance(Duration.ofSeconds(5));
                sim.log("second");
            });
            ctx.sleep(MINUTE);
            return text;
        });
    }

    private static List<Event.TakenOver> takeovers(WorkflowHandle<?> handle) {
        return RunAccess.of(handle).events().stream()
                .filter(Event.TakenOver.class::isInstance)
                .map(Event.TakenOver.class::cast)
                .toList();
    }

    @Test
    void historyRecordsWhichNodeTookOverFromWhichAndWhen() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> slow(sim, node).name("one"));
            one.start("slow", "s", String.class, "x");
            sim.advance(Duration.ofSeconds(2));
            Instant killed = sim.now();
            sim.kill(one);
            Dormouse two = sim.open(node -> slow(sim, node).name("two"));
            WorkflowHandle<String> handle = two.find("s", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("x");
            List<Event.TakenOver> found = takeovers(handle);
            assertThat(found).hasSize(1);
            Event.TakenOver over = found.get(0);
            assertThat(over.from()).isEqualTo("one");
            assertThat(over.by()).isEqualTo("two");
            assertThat(over.lostAt()).isBetween(killed, killed.plus(Duration.ofSeconds(15)));
            assertThat(over.takenAt()).isBetween(over.lostAt(), over.lostAt().plus(Duration.ofSeconds(5)));
            assertThat(RunAccess.of(handle).events()).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
            assertThat(sim.count("first")).isEqualTo(1);
        });
    }

    @Test
    void takeoversFromOneNodeAreLoggedOnce() {
        simulate(sim -> {
            try (CapturedLog logged = new CapturedLog()) {
                Dormouse one = sim.open(node -> slow(sim, node).name("one"));
                for (int i = 0; i < 20; i++) {
                    one.start("slow", "s-" + i, String.class, "x");
                }
                sim.advance(Duration.ofSeconds(2));
                sim.kill(one);
                sim.open(node -> slow(sim, node).name("two"));
                sim.advance(MINUTE);
                assertThat(logged.about("Node 'one'")).hasSize(1);
                assertThat(logged.about("Node 'one'").get(0).getFormattedMessage())
                        .contains("has crashed or is suspended", "This node takes over its runs");
            }
        });
    }

    /** A commit with events counts as progress of the run; the event that records a takeover must not. */
    @Test
    void takeoverIsNotProgress() {
        simulate(sim -> {
            WorkflowHandle<String> handle = null;
            Dormouse last = null;
            for (int i = 0; i < 3; i++) {
                Dormouse node =
                        sim.open(builder -> builder.workflow("deadly", String.class, String.class, (ctx, text) -> {
                            ctx.step("kills its node", () -> sim.advance(MINUTE.multipliedBy(60)));
                            return text;
                        }));
                handle = i == 0
                        ? node.start("deadly", "d", String.class, "x")
                        : node.find("d", String.class).orElseThrow();
                sim.advance(Duration.ofSeconds(i == 0 ? 2 : 40));
                if (i > 0) {
                    assertThat(handle.describe().status()).isNotEqualTo(RunStatus.COMPLETED);
                    assertThat(handle.describe().takeovers()).isEqualTo(i);
                }
                if (i < 2) {
                    sim.kill(node);
                }
                last = node;
            }
            assertThat(takeovers(last.find("d", String.class).orElseThrow())).hasSize(2);
        });
    }

    @Test
    void gracefulHandoverIsNotATakeover() {
        simulate(sim -> {
            Dormouse one = sim.open(node -> slow(sim, node));
            one.start("slow", "s", String.class, "x");
            sim.advance(Duration.ofSeconds(10));
            one.close();
            Dormouse two = sim.open(node -> slow(sim, node));
            WorkflowHandle<String> handle = two.find("s", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("x");
            assertThat(takeovers(handle)).isEmpty();
        });
    }
}
