package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.inLane;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.ofType;
import static dev.dormouse.store.Samples.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dashboards see due runs in order, page by page, and their number per period. */
interface DueContract extends ContractWords {

    /** Returns a start for a run in the lane of its type that is due at {@code instant}. */
    private Start at(String workflowId, String type, Instant instant) {
        return inLane(ofType(pending(workflowId, new Alarm.At(instant)), type), type);
    }

    private void standing(String workflowId, NextState next) {
        committed(held(workflowId).commit(Samples.events(1), next));
    }

    private List<RunRow> all(Set<RunKind> kinds, int limit) {
        List<RunRow> rows = new ArrayList<>();
        @Nullable DuePlace after = null;
        for (int i = 0; i < 1_000; i++) {
            DuePage<RunRow> page = peer().pages().due(SHARD, kinds, after, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            rows.addAll(page.items());
            after = page.next();
            if (after == null) {
                return rows;
            }
            after = DuePlace.parse(after.toString());
        }
        throw new AssertionError("Expected the pages to end, but they do not.");
    }

    private List<String> ids(Set<RunKind> kinds, int limit) {
        return all(kinds, limit).stream().map(RunRow::workflowId).toList();
    }

    @Test
    default void nothingIsDueInAnEmptyStore() {
        assertThat(peer().pages().due(SHARD, RunKind.TIMED, null, 10)).isEqualTo(new DuePage<>(List.of(), null));
        assertThat(peer().pages().lastDue(SHARD, RunKind.TIMED)).isEmpty();
        DueCounts counts = peer().pages().dueCounts(SHARD, RunKind.TIMED, now(), List.of(now(), now().plusSeconds(1)));
        assertThat(counts).isEqualTo(new DueCounts(Count.NONE, List.of(Count.NONE)));
    }

    @Test
    default void depthOfAQueueIsWhatIsDueInAllItsLanes() {
        Instant past = now();
        started(at("a", "mail@A", past));
        started(at("b", "mail@b~", past));
        started(at("c", "mail@A", past.plus(Duration.ofHours(1))));
        started(at("d", "print@A", past));
        started(at("e", "A", past));
        tick();
        assertThat(peer().pages().queueDepths(SHARD, now()))
                .isEqualTo(Map.of("mail", Count.exactly(2), "print", Count.exactly(1)));
    }

    @Test
    default void lanesAreOverdueByTheirEarliestAlarm() {
        Instant past = now();
        started(at("a", "mail@A", past.plusSeconds(3600)));
        started(at("b", "mail@A", past));
        started(at("c", "A", past));
        started(at("d", "!t", past.plusSeconds(3600)));
        tick();
        assertThat(peer().pages().overdueLanes(SHARD, now()))
                .extracting(OverdueLane::lane, OverdueLane::workflowId)
                .containsExactlyInAnyOrder(tuple("mail@A", "b"), tuple("A", "c"));
        assertThat(peer().pages().overdueLanes(SHARD, past)).isEmpty();
    }

    @Test
    default void dueRunsAreOrderedAcrossLanes() {
        Instant later = now().plus(Duration.ofHours(1));
        for (int i = 0; i < 30; i++) {
            started(at(
                    "w" + i,
                    List.of("A", "b", "!t", "%schedule", "q@!t", "q@A~").get(i % 6),
                    later.plusSeconds(i * 7 % 30)));
        }
        List<String> expected = IntStream.range(0, 30)
                .boxed()
                .sorted((a, b) -> Integer.compare(a * 7 % 30, b * 7 % 30))
                .map(i -> "w" + i)
                .toList();
        for (int limit : new int[] {1, 4, 29, 30, 31}) {
            assertThat(ids(RunKind.TIMED, limit)).isEqualTo(expected);
        }
        assertThat(all(RunKind.TIMED, 1).get(0))
                .isEqualTo(store().current(SHARD, "w0").orElseThrow());
        assertThat(peer().pages().lastDue(SHARD, RunKind.TIMED)).contains(later.plusSeconds(29));
    }

    @Test
    default void alarmsOfTheSameInstantAreSeenOnceEach() {
        Instant later = now().plus(Duration.ofHours(1));
        for (int i = 0; i < 20; i++) {
            started(at("w" + i, i % 2 == 0 ? "A" : "B", later));
        }
        for (int limit : new int[] {1, 3, 20}) {
            assertThat(ids(RunKind.TIMED, limit)).hasSize(20).doesNotHaveDuplicates();
        }
    }

    /** Sets many alarms for the same instant, as for midnight. */
    @Test
    default void moreAlarmsOfOneInstantThanAPageScansAreReturnedOnceEach() {
        Instant midnight = now().plus(Duration.ofHours(1));
        for (int i = 0; i < 1_300; i++) {
            started(at("w" + i, "A", midnight));
        }
        started(at("last", "A", midnight.plusSeconds(1)));
        assertThat(ids(RunKind.TIMED, 25))
                .hasSize(1_301)
                .doesNotHaveDuplicates()
                .endsWith("last");
    }

    @Test
    default void kindsAreDistinguished() {
        Instant later = now().plus(Duration.ofHours(1));
        started(at("workflow", "A", later));
        started(at("in a queue", "q@A", later));
        started(at("timer", "!t", later));
        started(at("queued timer", "q@!t~", later));
        started(at("schedule", "%schedule", later));
        started(at("event", "$event", later));
        started(at("activity", "#Mail.send", later));
        assertThat(ids(Set.of(RunKind.WORKFLOW), 10)).containsExactlyInAnyOrder("workflow", "in a queue");
        assertThat(ids(Set.of(RunKind.TIMER), 10)).containsExactlyInAnyOrder("timer", "queued timer");
        assertThat(ids(Set.of(RunKind.SCHEDULE), 10)).containsExactly("schedule");
        assertThat(ids(RunKind.TIMED, 10)).hasSize(5);
        assertThat(ids(Set.of(), 10)).isEmpty();
    }

    @Test
    default void leasesMailAndClosedRunsAreNotDue() {
        started(leased("held"));
        standing("asleep", NextState.waiting(new Alarm.At(now().plusSeconds(3_600)), WakeReason.TIMER));
        standing("lingers", lingering());
        standing("closed", NextState.closed(RunStatus.COMPLETED));
        standing("stuck", NextState.stuck(new Alarm.In(Duration.ofHours(1)), "trouble"));
        assertThat(ids(RunKind.TIMED, 10)).containsExactly("asleep");
        deliver(Samples.signal("asleep", "key"));
        assertThat(ids(RunKind.TIMED, 10)).isEmpty();
    }

    /** As earlier versions committed it. */
    private static NextState lingering() {
        Alarm alarm = new Alarm.In(Duration.ofSeconds(10));
        return new NextState(RunStatus.PARKED, Samples.newLease(), alarm, WakeReason.LINGER, null, null, "");
    }

    @Test
    default void runsThatWaitInMemoryOrAreHeldBackAreDue() {
        standing("parked", NextState.parked(Samples.newLease(), now().plusSeconds(10)));
        standing("held back", NextState.pending(new Alarm.In(Duration.ofHours(1)), WakeReason.BACKOFF));
        assertThat(ids(RunKind.TIMED, 10)).containsExactly("parked", "held back");
    }

    @Test
    default void fewAlarmsAreCountedExactly() {
        Instant now = now();
        Instant later = now.plus(Duration.ofHours(1));
        for (int i = 0; i < 40; i++) {
            started(at("w" + i, i % 2 == 0 ? "A" : "!t", later.plusSeconds(i)));
        }
        started(leased("held"));
        List<Instant> bounds = List.of(now, later, later.plusSeconds(10), later.plusSeconds(40));
        DueCounts counts = peer().pages().dueCounts(SHARD, RunKind.TIMED, now, bounds);
        assertThat(counts.overdue()).isEqualTo(Count.NONE);
        assertThat(counts.buckets()).containsExactly(Count.exactly(0), Count.exactly(10), Count.exactly(30));
        assertThat(peer().pages()
                        .dueCounts(SHARD, Set.of(RunKind.TIMER), now, bounds)
                        .buckets())
                .containsExactly(Count.exactly(0), Count.exactly(5), Count.exactly(15));
        assertThat(peer().pages()
                        .dueCounts(SHARD, RunKind.TIMED, later.plusSeconds(5), List.of())
                        .overdue())
                .isEqualTo(Count.exactly(5));
    }
}
