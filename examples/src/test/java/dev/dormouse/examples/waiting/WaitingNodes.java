package dev.dormouse.examples.waiting;

import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Shared helpers of the tests in this package, which run in real time with short waits. */
final class WaitingNodes {
    static final Duration SOON = Duration.ofMillis(300);
    static final Duration LATE = Duration.ofHours(1);
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private WaitingNodes() {}

    static <W> Dormouse inMemory(Class<W> type, Supplier<? extends W> implementation) {
        return Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(type, implementation)
                .open();
    }

    /** Opens a node that has the workflow's code. */
    static <W> Dormouse worker(Path file, Class<W> type, Supplier<? extends W> implementation) {
        return Dormouse.builder()
                .store("sqlite:" + file)
                .workflow(type, implementation)
                .open();
    }

    /** Opens a node that can only send messages to the workflow. */
    static Dormouse client(Path file, Class<?> type) {
        return Dormouse.builder().store("sqlite:" + file).remoteWorkflow(type).open();
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

    /** Returns the log output of {@code action}: the examples log to System.err. */
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
