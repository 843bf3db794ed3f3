package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Saga;
import dev.dormouse.Signal;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Schedule;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plain text that a codec encrypts is in no byte of the store's files. */
@Timeout(60)
class SecretBytesTest {
    private static final String SECRET = "card 4111 of ada";

    /** Too long to be a part of a random id. */
    private static final String PART = "4111 of";

    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private static final class Mixing implements PayloadCodec {
        private final PayloadCodec plain = new JacksonCodec();

        @Override
        public Payload encode(@Nullable Object value) {
            return new Payload("mixed", mixed(plain.encode(value).bytes()));
        }

        @Override
        public @Nullable Object decode(Payload payload, Type type) {
            return plain.decode(
                    payload.encoding().isEmpty() ? payload : new Payload("json", mixed(payload.bytes())), type);
        }

        private static byte[] mixed(byte[] bytes) {
            byte[] mixed = bytes.clone();
            for (int i = 0; i < mixed.length; i++) {
                mixed[i] ^= 0x55;
            }
            return mixed;
        }
    }

    private record Card(String number) {}

    private static Exception problem() {
        return new IllegalStateException("refused", new IOException(SECRET));
    }

    private static String undone() {
        Saga saga = new Saga();
        saga.addCompensation(() -> Workflow.step("undo", () -> {
            throw problem();
        }));
        saga.compensate();
        return "?";
    }

    private static DormouseBuilder code(DormouseBuilder node) {
        return node.codec(new Mixing())
                .activityOptions(ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2)))
                .workflow("fails", String.class, String.class, (ctx, input) -> {
                    throw problem();
                })
                .workflow("step", String.class, String.class, (ctx, input) -> {
                    ctx.step("s", () -> {
                        throw problem();
                    });
                    return "?";
                })
                .workflow("error", String.class, String.class, (ctx, input) -> {
                    throw new StackOverflowError(SECRET);
                })
                .workflow("saga", String.class, String.class, (ctx, input) -> undone())
                .workflow(
                        "parent",
                        String.class,
                        String.class,
                        (ctx, input) -> ctx.child("fails", "child", ChildOptions.DEFAULT, String.class, SECRET)
                                .get())
                .workflow(
                        "event",
                        String.class,
                        Card.class,
                        (ctx, input) -> ctx.waitForEvent("paid", Map.of("number", SECRET))
                                .payload(Card.class))
                .workflow(
                        "unreadable",
                        String.class,
                        Integer.class,
                        (ctx, input) -> ctx.waitForSignal(LONG)
                                .map((Signal signal) -> signal.value(Integer.class))
                                .orElseThrow());
    }

    @Test
    void noByteOfTheFilesContainsASecret() throws Exception {
        try (Dormouse dormouse = code(Dormouse.builder().store("sqlite:" + folder.resolve("secret.db")))
                .open()) {
            CompletableFuture<String> fired = new CompletableFuture<>();
            dormouse.timers().handle("fails", String.class, text -> {
                fired.complete(text);
                throw problem();
            });
            dormouse.timers().after(Duration.ZERO, "fails", SECRET);
            dormouse.schedules()
                    .create(
                            "s",
                            Schedule.of(new Interval(Duration.ofSeconds(1), Instant.EPOCH))
                                    .withWorkflow("fails", SECRET));
            for (String type : new String[] {"fails", "step", "saga", "parent"}) {
                WorkflowHandle<String> handle = dormouse.start(type, type, String.class, SECRET);
                assertThat(catchThrowable(() -> handle.result(LONG))).as(type).hasStackTraceContaining(SECRET);
            }
            WorkflowHandle<Card> event = dormouse.start("event", "event", Card.class, SECRET);
            dormouse.publish("paid", new Card(SECRET));
            assertThat(event.result(LONG)).isEqualTo(new Card(SECRET));
            dormouse.start("error", "error", String.class, SECRET);
            dormouse.start("unreadable", "unreadable", Integer.class, SECRET).signal("x", SECRET);
            assertThat(fired.get()).isEqualTo(SECRET);
            for (String stuck : new String[] {"error", "unreadable"}) {
                WorkflowHandle<Object> handle =
                        dormouse.find(stuck, Object.class).orElseThrow();
                while (handle.describe().status() != RunStatus.STUCK) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertThat(handle.describe().trouble()).isNotEmpty().doesNotContain(PART);
            }
            assertHidden();
        }
        assertHidden();
    }

    private void assertHidden() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                int at = text.indexOf(PART);
                assertThat(at < 0 ? "" : text.substring(Math.max(0, at - 300), at + 100))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }
}
