package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers from outside against runs that append all the time. */
@Timeout(300)
class AppendReviewTest {
    private static DormouseBuilder restless(DormouseBuilder node) {
        return node.historyLimit(1_000_000).workflow("restless", Integer.class, String.class, (ctx, number) -> {
            for (int i = 0; i < 100_000; i++) {
                ctx.step("s", () -> {});
            }
            return "";
        });
    }

    private static Dormouse open(String schema, boolean executes) {
        DormouseBuilder builder = Dormouse.builder().store(TestPostgres.url()).schema(schema);
        return (executes ? restless(builder) : builder.anyRemoteWorkflow()).open();
    }

    /** How long it takes to terminate a run that never pauses, from another node. */
    @Test
    void runThatAppendsAllTheTimeIsTerminated() throws InterruptedException {
        String schema = TestPostgres.newSchema();
        try (Dormouse one = open(schema, true);
                Dormouse two = open(schema, false)) {
            for (int round = 0; round < 6; round++) {
                String id = "w" + round;
                one.start("restless", id, String.class, 0);
                Thread.sleep(500 + 1_000L * round);
                WorkflowHandle<String> handle = two.find(id, String.class).orElseThrow();
                int length = handle.describe().historyLength();
                long began = System.nanoTime();
                String outcome;
                try {
                    outcome = String.valueOf(handle.terminate("enough"));
                } catch (DormouseException contended) {
                    outcome = contended.getMessage();
                    one.find(id, String.class).orElseThrow().terminate("enough, locally");
                }
                System.out.println("COUNT round " + round + " length " + length + " -> "
                        + handle.describe().historyLength() + " took "
                        + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms: " + outcome + " rows "
                        + TestPostgres.query("select count(*) from " + schema + ".history"));
                assertThat(handle.describe().status()).isEqualTo(RunStatus.TERMINATED);
            }
        }
    }

    /**
     * What becomes of a run whose lease was released at the end that its row knows, although more was appended. The next
     * owner reads up to that end. Its first commit that changes the row is kept in the row, beside the appended one.
     */
    @Test
    void ownersCommitAtAPositionThatIsTakenIsNotApplied() {
        String schema = TestPostgres.newSchema();
        try (Store store = TestPostgres.open(schema)) {
            Start start = Runs.leased("w", 7);
            store.start(0, List.of(start));
            store.append(0, List.of(new HistoryAppend(start.runId(), 1, Fence.ANY_EPOCH, Runs.events(1))));
            store.commit(
                    0,
                    List.of(new Commit(
                            start.runId(),
                            Fence.of(7, 1),
                            Append.nothing(start.first().checksum()),
                            0,
                            NextState.pending(Alarm.NOW, WakeReason.HANDOVER),
                            List.of())));
            RunRow row = store.run(0, start.runId()).orElseThrow();
            assertThat(row.status()).isEqualTo(RunStatus.PENDING);
            Commit park = new Commit(
                    row.runId(),
                    Fence.of(row.lease(), row.nextSeq()),
                    Runs.events(1),
                    0,
                    NextState.closed(RunStatus.COMPLETED),
                    List.of(),
                    true);
            CommitOutcome outcome = store.commit(0, List.of(park)).get(0);
            List<HistoryRow> rows = store.histories(0, List.of(row.runId()));
            System.out.println("COUNT " + outcome + " "
                    + rows.stream().map(HistoryRow::seq).toList());
            assertThat(rows).extracting(HistoryRow::seq).doesNotHaveDuplicates();
        }
    }
}
