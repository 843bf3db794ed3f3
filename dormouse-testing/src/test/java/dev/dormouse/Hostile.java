package dev.dormouse;

import static dev.dormouse.SimulatedDormouse.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Words that hostile tests share. */
final class Hostile {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);

    /** Tried again for ever, after hours. */
    static final ActivityOptions HOURLY = ActivityOptions.DEFAULT.retry(
            RetryPolicy.DEFAULT.initialInterval(HOUR).coefficient(1));

    private static final long[] MOMENTS = {0, 1, 2, 3, 5, 8, 13, 30, 100, 500, 990, 1_005, 1_100, 2_000, 3_050, 7_000};

    private Hostile() {}

    /** So many attempts at most. */
    static ActivityOptions attempts(int number) {
        return ActivityOptions.DEFAULT.retry(RetryPolicy.DEFAULT.attempts(number));
    }

    /** The node dies at each of many moments, and the next one again; then the story's end is looked at. */
    static void killed(
            Duration length,
            Function<SimulatedDormouse, WorkflowFunction<String, String>> code,
            BiConsumer<SimulatedDormouse, WorkflowHandle<String>> check) {
        for (Duration moment : moments(length)) {
            play(sim -> {
                WorkflowFunction<String, String> story = code.apply(sim);
                UnaryOperator<DormouseBuilder> setUp = node -> Tale.with(node, story);
                Dormouse one = sim.open(setUp);
                Tale.start(one);
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

    static List<Duration> moments(Duration length) {
        List<Duration> moments = new ArrayList<>();
        for (long moment : MOMENTS) {
            moments.add(Duration.ofMillis(moment));
        }
        for (int i = 1; i <= 4; i++) {
            moments.add(length.multipliedBy(i).dividedBy(4));
        }
        return moments;
    }

    static WorkflowHandle<String> latest(Dormouse dormouse) {
        return dormouse.find("w", String.class).orElseThrow();
    }

    /** What a call came to: "accepted", or the name of its error's code, or what it threw instead. */
    static String outcome(Runnable call) {
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

    /** Fails in its first attempts. */
    static String failing(SimulatedDormouse sim, int times) {
        int attempt = Activity.info().attempt();
        sim.log("attempt " + attempt);
        if (attempt <= times) {
            throw new IllegalStateException("failure " + attempt);
        }
        return "attempt " + attempt;
    }

    /** The step is interrupted after so long at the latest, or goes on. */
    static void interruptibly(SimulatedDormouse sim, Duration time) throws InterruptedException {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            sim.advance(Duration.ofMillis(100));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
