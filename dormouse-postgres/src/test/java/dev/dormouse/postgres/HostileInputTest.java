package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.timer.TimerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Texts and instants that PostgreSQL cannot store are rejected with an error for the caller, and are not an outage of
 * the store.
 */
@Timeout(60)
class HostileInputTest {
    private static final List<String> TEXTS = List.of("a\u0000b", "\ud800", "x".repeat(100_000), "");

    private interface Attempt {
        void run() throws Exception;
    }

    @Test
    void inputThatPostgresCannotHoldIsNotAnOutage() throws Exception {
        try (Dormouse dormouse = Dormouse.builder()
                .store(TestPostgres.url())
                .schema(TestPostgres.newSchema())
                .workflow("echo", String.class, String.class, (ctx, input) -> input)
                .workflow(
                        "wait",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.waitForSignal("go", Duration.ofDays(1))
                                .orElseThrow()
                                .name())
                .open()) {
            WorkflowHandle<String> run = dormouse.start("wait", "open", String.class, "x");
            List<String> outages = new ArrayList<>();
            for (String text : TEXTS) {
                attempts(dormouse, run, text).forEach((name, attempt) -> {
                    try {
                        attempt.run();
                    } catch (DormouseException | IllegalArgumentException | NullPointerException refused) {
                        // as it should be
                    } catch (Exception other) {
                        outages.add(name + " throws " + other);
                    }
                    dormouse.outages().forEach(outage -> outages.add(name + ": " + outage));
                });
            }
            assertThat(outages).isEmpty();
        }
    }

    private static Map<String, Attempt> attempts(Dormouse dormouse, WorkflowHandle<String> run, String text) {
        Map<String, Attempt> all = new LinkedHashMap<>();
        all.put("find", () -> dormouse.find(text, String.class));
        all.put(
                "find run",
                () -> dormouse.find(text, UUID.randomUUID(), String.class).ifPresent(WorkflowHandle::describe));
        all.put("start id", () -> dormouse.start("echo", text, String.class, "x"));
        all.put("start type", () -> dormouse.start(text, "id", String.class, "x"));
        all.put(
                "start input",
                () -> dormouse.start("echo", "in", String.class, text).result(Duration.ofSeconds(5)));
        all.put(
                "memo",
                () -> dormouse.start("echo", "memo", StartOptions.DEFAULT.withMemo("k", text), String.class, "x"));
        all.put(
                "queue",
                () -> dormouse.start("echo", "queue", StartOptions.DEFAULT.withQueue(text), String.class, "x"));
        all.put(
                "rate key",
                () -> dormouse.start("echo", "rk", StartOptions.DEFAULT.withRateKey(text), String.class, "x"));
        all.put(
                "far start",
                () -> dormouse.start("echo", "far", StartOptions.DEFAULT.withStartAt(Instant.MAX), String.class, "x"));
        all.put("signal", () -> run.signal(text, text));
        all.put("signal once", () -> run.signalOnce(text, "other", text));
        all.put("query", () -> run.query(text, String.class));
        all.put("publish", () -> dormouse.publish(text, text));
        all.put("publish once", () -> dormouse.publishOnce(text, "e", text));
        all.put("complete", () -> dormouse.completeActivity(text, "x"));
        all.put("cancel", () -> dormouse.start("wait", "c", String.class, "x").cancel(text));
        all.put(
                "terminate",
                () -> dormouse.start("wait", "c", String.class, "x").terminate(text));
        all.put("timer", () -> dormouse.timers().at(Instant.MAX, "t", text));
        all.put("timer text", () -> dormouse.timers().at(Instant.now(), text, text));
        all.put("timer cancel", () -> dormouse.timers().cancel(new TimerId(text)));
        return all;
    }
}
