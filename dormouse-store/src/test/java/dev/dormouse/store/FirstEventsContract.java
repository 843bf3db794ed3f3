package dev.dormouse.store;

import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.events;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.withFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A run may begin with several events, taken from another run's history. They are one row of its history. */
interface FirstEventsContract extends ContractWords {

    private void assertBeginsWith(Append first, UUID runId) {
        RunRow row = row(runId);
        assertThat(row.nextSeq()).isEqualTo(first.count());
        assertThat(row.checksum()).isEqualTo(first.checksum());
        List<HistoryRow> history = history(runId);
        assertThat(history).hasSize(1);
        assertThat(history.get(0))
                .usingRecursiveComparison()
                .isEqualTo(new HistoryRow(runId, 0, first.count(), row.createdAt(), first.checksum(), first.payload()));
        assertThat(store().history(SHARD, runId, 0)).isPresent();
        assertThat(store().history(SHARD, runId, 1)).isEmpty();
    }

    @Test
    default void severalFirstEventsAreOneRowOfHistory() {
        Append first = events(7);
        assertBeginsWith(first, started(withFirst(leased("a"), first)));
    }

    @Test
    default void eachRunOfABatchBeginsWithItsOwnEvents() {
        List<Append> firsts = List.of(events(1), events(3), events(1_000_000), events(2));
        List<Start> starts = List.of(
                withFirst(pending("a"), firsts.get(0)),
                withFirst(pending("b"), firsts.get(1)),
                withFirst(leased("c"), firsts.get(2)),
                withFirst(leased("d"), firsts.get(3)));
        assertThat(store().start(SHARD, starts)).hasOnlyElementsOfType(StartOutcome.Started.class);
        for (int i = 0; i < starts.size(); i++) {
            assertBeginsWith(firsts.get(i), starts.get(i).runId());
        }
    }

    @Test
    default void commitsContinueAfterTheFirstEvents() {
        Held held = Held.of(row(started(withFirst(leased("a"), events(3)))));
        assertThat(held.nextSeq()).isEqualTo(3);
        assertFenced(Held.with(held.step(), Fence.of(held.lease(), 1)));
        Commit step = held.step();
        committed(step);
        committed(step);
        committed(held.after(step).close());
        assertThat(history(held.runId())).extracting(HistoryRow::seq).containsExactly(0, 3, 4);
        assertThat(history(held.runId())).extracting(HistoryRow::count).containsExactly(3, 1, 1);
        assertThat(row(held.runId()).nextSeq()).isEqualTo(5);
    }

    @Test
    default void runWithSeveralFirstEventsIsClaimedLikeAnyOther() {
        UUID runId = started(withFirst(pending("a"), events(4)));
        List<Claimed.Run> claimed = claim(10);
        assertThat(claimed).hasSize(1);
        assertThat(claimed.get(0).row()).isEqualTo(row(runId));
        assertThat(claimed.get(0).row().nextSeq()).isEqualTo(4);
        committed(Held.of(row(runId)).step());
    }

    @Test
    default void startInThePlaceOfAClosedRunMayHaveSeveralEventsToo() {
        closed("a", RunStatus.FAILED);
        Append first = events(5);
        Start again = withFirst(Samples.start("a", NextState.running(newLease(), LEASE)), first);
        Start replacing = replacing(again, RunStatus.FAILED);
        assertBeginsWith(first, started(replacing));
        assertThat(start(replacing)).isEqualTo(new StartOutcome.Exists(row(replacing.runId())));
    }
}
