package dev.dormouse.support;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Scenarios with one workflow "w" whose code is a lambda. */
public final class Scenario {
    /** The tolerance for simulated nodes, whose clocks are inaccurate. */
    public static final Duration CLOSE = Duration.ofMillis(300);

    private static final long[] MOMENTS = {0, 1, 2, 3, 5, 8, 13, 21, 40, 80, 200, 600, 1_500, 3_200, 5_500, 9_000};

    private Scenario() {}

    public static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        return sim.open(node -> with(node, code));
    }

    public static DormouseBuilder with(DormouseBuilder node, WorkflowFunction<String, String> code) {
        return SimulatedDormouse.echo(node).workflow("w", String.class, String.class, code);
    }

    public static WorkflowHandle<String> start(Dormouse dormouse) {
        return dormouse.start("w", "w", String.class, "");
    }

    /** Asserts the result, once with short waits kept in memory and once with every wait evicted. */
    public static void returns(String expected, Function<SimulatedDormouse, WorkflowFunction<String, String>> code) {
        for (Duration park : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            simulate(sim -> {
                WorkflowFunction<String, String> workflow = code.apply(sim);
                Dormouse dormouse = sim.open(node -> with(node, workflow).maxParkTime(park));
                assertThat(sim.result(start(dormouse))).isEqualTo(expected);
                sim.assertStillWorks(dormouse);
            });
        }
    }

    /** Asserts the result when the node is killed at each of many moments, and its successor at the same moment again. */
    public static void returnsWhenKilled(
            String expected, Duration length, Function<SimulatedDormouse, WorkflowFunction<String, String>> code) {
        List<Duration> moments = new ArrayList<>();
        for (long moment : MOMENTS) {
            moments.add(Duration.ofMillis(moment));
        }
        for (int i = 1; i <= 8; i++) {
            moments.add(length.multipliedBy(i).dividedBy(8));
        }
        for (Duration moment : moments) {
            simulate(sim -> {
                WorkflowFunction<String, String> workflow = code.apply(sim);
                UnaryOperator<DormouseBuilder> setUp = node -> with(node, workflow);
                Dormouse one = sim.open(setUp);
                start(one);
                sim.advance(moment);
                sim.kill(one);
                Dormouse two = sim.open(setUp);
                sim.advance(Duration.ofSeconds(16).plus(moment));
                sim.kill(two);
                Dormouse three = sim.open(setUp);
                assertThat(sim.result(three.find("w", String.class).orElseThrow()))
                        .as("killed after " + moment)
                        .isEqualTo(expected);
                three.find("w", String.class).orElseThrow().history();
            });
        }
    }

    public static Duration lateness(Instant deadline, WorkflowHandle<?> handle) {
        return Duration.between(deadline, handle.describe().closedAt().orElseThrow());
    }

    public static List<String> kinds(WorkflowHandle<?> handle) {
        return handle.history().stream().map(HistoryEvent::kind).toList();
    }

    /** Calls that must be refused with a clear error. */
    public static final class BadCalls {
        private final Map<String, Runnable> calls = new LinkedHashMap<>();

        public BadCalls add(String what, Runnable call) {
            calls.put(what, call);
            return this;
        }

        /** Makes all calls; returns those that were accepted or had an unclear error, or "" if there are none. */
        public String unclear() {
            List<String> unclear = new ArrayList<>();
            calls.forEach((what, call) -> {
                try {
                    call.run();
                    unclear.add(what + ": accepted");
                } catch (DormouseException clear) {
                    if (!clear.getMessage().matches("(?s)\\[DM\\d{4}] Expected .+, but.+")) {
                        unclear.add(what + ": " + clear.getMessage());
                    }
                } catch (RuntimeException other) {
                    unclear.add(what + ": " + other);
                }
            });
            return String.join("\n", unclear);
        }
    }
}
