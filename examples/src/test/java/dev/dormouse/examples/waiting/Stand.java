package dev.dormouse.examples.waiting;

import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.HistoryEvent;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.store.RunStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What the tests of this package have in common: real time, in small portions. */
final class Stand {
    static final Duration SOON = Duration.ofMillis(300);
    static final Duration LATE = Duration.ofHours(1);
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private Stand() {}

    static <W> Dormouse inMemory(Class<W> type, Supplier<? extends W> implementation) {
        return Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(type, implementation)
                .open();
    }

    /** A node that has the workflow's code. */
    static <W> Dormouse worker(Path file, Class<W> type, Supplier<? extends W> implementation) {
        return Dormouse.builder()
                .store("sqlite:" + file)
                .workflow(type, implementation)
                .open();
    }

    /** A node that can only speak to it. */
    static Dormouse client(Path file, Class<?> type) {
        return Dormouse.builder()
                .store("sqlite:" + file)
                .workflowElsewhere(type)
                .open();
    }

    static void awaitPause(WorkflowHandle<?> handle) {
        await().atMost(PATIENCE).until(() -> handle.describe().status() != RunStatus.RUNNING);
    }

    static void awaitEvent(WorkflowHandle<?> handle, String kind) {
        await().atMost(PATIENCE).until(() -> kinds(handle).contains(kind));
    }

    static List<String> kinds(WorkflowHandle<?> handle) {
        return handle.history().stream().map(HistoryEvent::kind).toList();
    }

    /** What is logged meanwhile: the examples log to System.err. */
    static String logOf(Runnable action) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
