package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entries that cannot be stored, among many that can: each is refused by itself. */
class BadEntryTest {
    private static final int MANY = 100;
    private static final List<Integer> BAD = List.of(0, 37, 99);

    private final Recorder recorder = new Recorder(TestPostgres.engine());
    private final String schema = TestPostgres.newSchema();
    private Store store;

    @BeforeEach
    void open() {
        store = TestPostgres.open(schema, recorder.dataSource());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static <T> List<T> among(List<T> good, List<T> bad) {
        List<T> batch = new ArrayList<>(good);
        for (int i = 0; i < BAD.size(); i++) {
            batch.set(BAD.get(i), bad.get(i));
        }
        return batch;
    }

    private static void assertOnlyBadOnesAreRejected(List<?> outcomes, Class<?> good, Class<?> rejected) {
        assertThat(outcomes).hasSize(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(outcomes.get(i)).as("entry %d", i).isInstanceOf(BAD.contains(i) ? rejected : good);
        }
    }

    /** Too long for an index entry and impossible to compress: only PostgreSQL itself can tell. */
    private static String tooLong() {
        byte[] random = new byte[6_000];
        new Random(1).nextBytes(random);
        return Base64.getEncoder().encodeToString(random);
    }

    @Test
    void badStartsAreRejectedByThemselves() {
        List<Start> bad = List.of(
                Runs.pending("nul \0", Alarm.NOW),
                Runs.pending(tooLong(), Alarm.NOW),
                Runs.pending("never", new Alarm.At(Instant.MAX)));
        List<Start> batch = among(many(MANY, i -> Runs.leased("wf-" + i, 7)), bad);
        recorder.take();
        List<StartOutcome> outcomes = store.start(0, batch);
        assertOnlyBadOnesAreRejected(outcomes, StartOutcome.Started.class, StartOutcome.Rejected.class);
        assertThat(recorder.take()).hasSizeLessThan(60);
        assertThat(((StartOutcome.Rejected) outcomes.get(99)).reason().code())
                .isEqualTo(ErrorCode.INSTANT_OUT_OF_RANGE);
        assertThat(((StartOutcome.Rejected) outcomes.get(37)).reason()).hasMessageStartingWith("[DM2006] Expected ");
    }

    @Test
    void badCommitsAreRejectedByThemselvesAndChangeNothing() {
        List<Start> starts = many(MANY, i -> Runs.leased("wf-" + i, 7));
        store.start(0, starts);
        List<Commit> bad = List.of(
                Runs.first(starts.get(0), NextState.running(7).inLane("nul \0", "")),
                withTakenOutboxId(starts.get(37)),
                Runs.first(starts.get(99), NextState.parked(8, Instant.MAX)));
        List<CommitOutcome> outcomes =
                store.commit(0, among(starts.stream().map(Runs::step).toList(), bad));
        assertOnlyBadOnesAreRejected(outcomes, CommitOutcome.Committed.class, CommitOutcome.Rejected.class);
        for (int i : BAD) {
            assertThat(store.run(0, starts.get(i).runId()).orElseThrow().nextSeq())
                    .isEqualTo(1);
        }
    }

    /** An id that is in the outbox already breaks a constraint. */
    private Commit withTakenOutboxId(Start start) {
        Outgoing outgoing = new Outgoing(Runs.newId(), "to", 1, new byte[0]);
        TestPostgres.execute(
                TestPostgres.engine(),
                "insert into " + schema + ".outbox values ('" + outgoing.id() + "', 1, 0, 1, 1, 'to', '')");
        Commit step = Runs.step(start);
        return new Commit(step.runId(), step.fence(), step.append(), 0, step.next(), List.of(outgoing));
    }

    @Test
    void badDeliveriesAreRejectedByThemselves() {
        store.start(0, many(MANY, i -> Runs.leased("wf-" + i, 7)));
        List<Delivery> bad =
                List.of(Runs.signal("wf-0", "nul \0"), Runs.signal("wf-37", tooLong()), Runs.signal("wf-99", "\uD800"));
        List<DeliverOutcome> outcomes =
                store.deliver(0, among(many(MANY, i -> Runs.signal("wf-" + i, "k")), bad), LEASE);
        assertOnlyBadOnesAreRejected(outcomes, DeliverOutcome.Accepted.class, DeliverOutcome.Rejected.class);
        assertThat(store.current(0, "wf-37").orElseThrow().mail()).isZero();
    }

    @Test
    void badDeliveriesAmongOthersToTheSameRunLeaveNoGap() {
        store.start(0, List.of(Runs.leased("wf", 7)));
        List<Delivery> bad =
                List.of(Runs.signal("wf", "nul \0"), Runs.signal("wf", tooLong()), Runs.signal("wf", "\uD800"));
        List<DeliverOutcome> outcomes = store.deliver(0, among(Runs.signals("wf", 0, MANY), bad), LEASE);
        assertOnlyBadOnesAreRejected(outcomes, DeliverOutcome.Accepted.class, DeliverOutcome.Rejected.class);
        assertThat(outcomes)
                .filteredOn(DeliverOutcome.Accepted.class::isInstance)
                .extracting(outcome -> ((DeliverOutcome.Accepted) outcome).position())
                .isEqualTo(LongStream.rangeClosed(1, MANY - BAD.size()).boxed().toList());
        assertThat(store.current(0, "wf").orElseThrow().mail()).isEqualTo(MANY - BAD.size());
    }
}
