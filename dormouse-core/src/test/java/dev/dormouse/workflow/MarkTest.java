package dev.dormouse.workflow;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Marks that code writes into its history. */
class MarkTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static List<String> lines(WorkflowHandle<?> handle) {
        return handle.history().stream()
                .filter(event -> event.kind().startsWith("x."))
                .map(event -> event.kind() + " " + event.summary())
                .toList();
    }

    @Test
    void linesStandInTheHistoryOnceHoweverOftenTheRunIsReplayed() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, input) -> {
                ctx.addNote("x.begin", "it begins");
                for (int i = 0; i < 3; i++) {
                    ctx.sleep(HOUR);
                    ctx.addNote("x.slept", "for " + i);
                    ctx.addNote("x.slept", "for " + i);
                }
                return "done";
            }));
            WorkflowHandle<String> handle = one.start("w", "w", String.class, "");
            assertThat(sim.result(handle)).isEqualTo("done");
            assertThat(lines(handle))
                    .containsExactly(
                            "x.begin it begins",
                            "x.slept for 0",
                            "x.slept for 0",
                            "x.slept for 1",
                            "x.slept for 1",
                            "x.slept for 2",
                            "x.slept for 2");
        });
    }

    @Test
    void otherLinesAreNoOtherCode() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, input) -> {
                ctx.addNote("x.a", "old");
                ctx.sleep(HOUR);
                ctx.addNote("x.b", "old");
                ctx.sleep(HOUR);
                return "old";
            }));
            one.start("w", "w", String.class, "");
            sim.advance(HOUR.plus(HOUR.dividedBy(2)));
            one.close();
            Dormouse two = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, input) -> {
                ctx.addNote("x.new", "new");
                ctx.sleep(HOUR);
                ctx.sleep(HOUR);
                ctx.addNote("x.c", "new");
                return "new";
            }));
            WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("new");
            assertThat(lines(handle)).containsExactly("x.a old", "x.b old", "x.c new");
        });
    }
}
