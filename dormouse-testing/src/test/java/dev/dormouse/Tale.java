package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stories of one workflow "w" that is a function. */
final class Tale {
    /** Simulated nodes have bad clocks. */
    static final Duration CLOSE = Duration.ofMillis(300);

    private static final long[] MOMENTS = {0, 1, 2, 3, 5, 8, 13, 21, 40, 80, 200, 600, 1_500, 3_200, 5_500, 9_000};

    private Tale() {}

    static Dormouse open(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        return sim.open(node -> with(node, code));
    }

    static DormouseBuilder with(DormouseBuilder node, WorkflowFunction<String, String> code) {
        return SimulatedDormouse.echo(node).workflow("w", String.class, String.class, code);
    }

    static WorkflowHandle<String> start(Dormouse dormouse) {
        return dormouse.start("w", "w", String.class, "");
    }

    /** The result, once with short waits in memory and once with all of them evicted. */
    static void returns(String expected, Function<SimulatedDormouse, WorkflowFunction<String, String>> code) {
        for (Duration park : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            play(sim -> {
                WorkflowFunction<String, String> story = code.apply(sim);
                Dormouse dormouse = sim.open(node -> with(node, story).parkAtMost(park));
                assertThat(sim.result(start(dormouse))).isEqualTo(expected);
                sim.assertStillWorks(dormouse);
            });
        }
    }

    /** The result is the same when its node dies at any of many moments, and then at the same again. */
    static void returnsWhenKilled(
            String expected, Duration length, Function<SimulatedDormouse, WorkflowFunction<String, String>> code) {
        List<Duration> moments = new ArrayList<>();
        for (long moment : MOMENTS) {
            moments.add(Duration.ofMillis(moment));
        }
        for (int i = 1; i <= 8; i++) {
            moments.add(length.multipliedBy(i).dividedBy(8));
        }
        for (Duration moment : moments) {
            play(sim -> {
                WorkflowFunction<String, String> story = code.apply(sim);
                UnaryOperator<DormouseBuilder> setUp = node -> with(node, story);
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

    static Duration lateness(Instant deadline, WorkflowHandle<?> handle) {
        return Duration.between(deadline, handle.describe().closedAt().orElseThrow());
    }

    static List<String> kinds(WorkflowHandle<?> handle) {
        return handle.history().stream().map(HistoryEvent::kind).toList();
    }

    /** Calls that must be refused with a clear error; returns those that are not. */
    static final class BadCalls {
        private final Map<String, Runnable> calls = new LinkedHashMap<>();

        BadCalls add(String what, Runnable call) {
            calls.put(what, call);
            return this;
        }

        String unclear() {
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
