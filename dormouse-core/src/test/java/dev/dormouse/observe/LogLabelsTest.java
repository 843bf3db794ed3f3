package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.internal.engine.observe.LogLabels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Labels of log lines that workflows and steps write. */
class LogLabelsTest {

    private static String labels() {
        return MDC.get(LogLabels.WORKFLOW) + " " + MDC.get(LogLabels.TYPE) + " " + MDC.get(LogLabels.STEP) + " "
                + (MDC.get(LogLabels.RUN) != null);
    }

    @Test
    void workflowsCoroutinesAndStepsHaveLabels() {
        simulate(sim -> {
            List<String> seen = Collections.synchronizedList(new ArrayList<>());
            Dormouse dormouse = sim.open(node -> node.workflow("nap", String.class, String.class, (ctx, text) -> {
                seen.add("code: " + labels());
                ctx.step("alone", () -> seen.add("step: " + labels()));
                Promise<String> beside = ctx.async(() -> {
                    seen.add("coroutine: " + labels());
                    ctx.step("beside", () -> seen.add("step: " + labels()));
                    return "";
                });
                return beside.get();
            }));
            sim.result(dormouse.start("nap", "n", String.class, "x"));
            assertThat(seen)
                    .containsExactly(
                            "code: n nap null true",
                            "step: n nap alone true",
                            "coroutine: n nap null true",
                            "step: n nap beside true");
            assertThat(labels()).isEqualTo("null null null false");
        });
    }
}
