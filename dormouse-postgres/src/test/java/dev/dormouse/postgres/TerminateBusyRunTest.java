package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that append events without a pause, which another node terminates. */
@Timeout(60)
class TerminateBusyRunTest {
    private static final int RUNS = 12;
    private static final int STEPS = 100_000;

    /**
     * The maximum number of events that the runs together may append while they are terminated. A run appends tens of
     * events during one attempt, so thousands of events mean many refused attempts.
     */
    private static final int MOST_EVENTS_MEANWHILE = 2_000;

    private static DormouseBuilder node(String schema) {
        return Dormouse.builder().store(TestPostgres.url()).schema(schema);
    }

    private static Dormouse openWorker(String schema) {
        return node(schema)
                .historyLimit(1_000_000)
                .workflow("busy", Integer.class, String.class, (ctx, steps) -> {
                    for (int i = 0; i < steps; i++) {
                        ctx.step("s", () -> {});
                    }
                    return "";
                })
                .open();
    }

    /** Some attempts succeed by chance between two appends, so one run would show little. */
    @Test
    void anotherNodeTerminatesBusyRunsWithFewAttempts() {
        String schema = TestPostgres.newSchema();
        try (Dormouse worker = openWorker(schema);
                Dormouse caller = node(schema).anyRemoteWorkflow().open()) {
            int meanwhile = 0;
            for (int i = 0; i < RUNS; i++) {
                worker.start("busy", "w" + i, String.class, STEPS);
                meanwhile += terminate(caller.find("w" + i, String.class).orElseThrow());
            }
            assertThat(meanwhile).as("events during the calls").isLessThan(MOST_EVENTS_MEANWHILE);
        }
    }

    /** Terminates a run after it has appended events, and returns the number of events that it appended meanwhile. */
    private static int terminate(WorkflowHandle<String> run) {
        await().atMost(Duration.ofSeconds(30)).until(() -> length(run) >= 100);
        int before = length(run);
        assertThat(run.terminate("enough")).isTrue();
        assertThat(run.describe().status()).isEqualTo(RunStatus.TERMINATED);
        return length(run) - before;
    }

    private static int length(WorkflowHandle<String> handle) {
        return handle.describe().historyLength();
    }
}
