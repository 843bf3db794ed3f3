package dev.dormouse.support;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Durations, options and checks that the hostile tests share. */
public final class HostileScenario {
    public static final Duration SECOND = Duration.ofSeconds(1);
    public static final Duration MINUTE = Duration.ofMinutes(1);
    public static final Duration HOUR = Duration.ofHours(1);

    /** Unlimited attempts, one per hour. */
    public static final ActivityOptions HOURLY = ActivityOptions.DEFAULT.withRetry(
            RetryPolicy.DEFAULT.withInitialInterval(HOUR).withBackoffCoefficient(1));

    private static final long[] MOMENTS = {0, 1, 2, 3, 5, 8, 13, 30, 100, 500, 990, 1_005, 1_100, 2_000, 3_050, 7_000};

    private HostileScenario() {}

    /** Returns options with at most {@code number} attempts. */
    public static ActivityOptions attempts(int number) {
        return ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(number));
    }

    /** Kills the node at each of many moments, and its successor at the same moment; then checks the run. */
    public static void killed(
            Duration length,
            Function<SimulatedDormouse, WorkflowFunction<String, String>> code,
            BiConsumer<SimulatedDormouse, WorkflowHandle<String>> check) {
        for (Duration moment : moments(length)) {
            simulate(sim -> {
                WorkflowFunction<String, String> workflow = code.apply(sim);
                UnaryOperator<DormouseBuilder> setUp = node -> Scenario.with(node, workflow);
                Dormouse one = sim.open(setUp);
                Scenario.start(one);
                sim.advance(moment);
                sim.kill(one);
                Dormouse two = sim.open(setUp);
                sim.advance(Duration.ofSeconds(16).plus(moment));
                sim.kill(two);
                Dormouse three = sim.open(setUp);
                check.accept(sim, latest(three));
                latest(three).history();
                sim.assertStillWorks(three);
            });
        }
    }

    public static List<Duration> moments(Duration length) {
        List<Duration> moments = new ArrayList<>();
        for (long moment : MOMENTS) {
            moments.add(Duration.ofMillis(moment));
        }
        for (int i = 1; i <= 4; i++) {
            moments.add(length.multipliedBy(i).dividedBy(4));
        }
        return moments;
    }

    public static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("w", String.class).orElseThrow();
    }

    /** Returns "accepted", or the name of the error code with which a call fails, or another exception as text. */
    public static String outcome(Runnable call) {
        try {
            call.run();
            return "accepted";
        } catch (DormouseException typed) {
            assertThat(typed.getMessage()).matches("(?s)\\[DM\\d{4}] Expected .+, but.+");
            return typed.code().name();
        } catch (RuntimeException other) {
            return other.toString();
        }
    }

    /** Fails in the first {@code times} attempts. */
    public static String failing(SimulatedDormouse sim, int times) {
        int attempt = Activity.info().attempt();
        sim.log("attempt " + attempt);
        if (attempt <= times) {
            throw new IllegalStateException("failure " + attempt);
        }
        return "attempt " + attempt;
    }

    /** Waits for {@code time} and checks for an interrupt every 100 ms. */
    public static void interruptibly(SimulatedDormouse sim, Duration time) throws InterruptedException {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            sim.advance(Duration.ofMillis(100));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
