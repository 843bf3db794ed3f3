package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.events;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Stored data can be read. */
interface ReadContract extends ContractWords {

    @Test
    default void nothingIsFoundOfWhatIsNotThere() {
        UUID unknown = newId();
        assertThat(store().run(SHARD, unknown)).isEmpty();
        assertThat(store().current(SHARD, "a")).isEmpty();
        assertThat(store().runs(SHARD, List.of(unknown))).isEmpty();
        assertThat(store().histories(SHARD, List.of(unknown))).isEmpty();
        assertThat(store().mail(SHARD, "a", 0, 10)).isEmpty();
        assertThat(store().outbox(SHARD, 10)).isEmpty();
    }

    @Test
    default void workflowIdIsComparedExactly() {
        held("Case");
        held("case ");
        assertThat(store().current(SHARD, "case")).isEmpty();
        assertThat(store().current(SHARD, "Case ")).isEmpty();
        assertThat(store().current(SHARD, "Cas_")).isEmpty();
        assertThat(deliver(signal("CASE", "k"))).isEqualTo(new DeliverOutcome.NoRun());
    }

    @Test
    default void severalRunsAreReadAtOnce() {
        List<UUID> ids = new ArrayList<>(
                IntStream.range(0, 10).mapToObj(i -> held("wf-" + i).runId()).toList());
        ids.add(newId());
        assertThat(rows(ids)).hasSize(10);
        assertThat(rows(ids.subList(3, 5))).containsOnlyKeys(ids.subList(3, 5));
    }

    @Test
    default void historiesOfSeveralRunsAreEachInOrder() {
        List<Held> runs = IntStream.range(0, 5).mapToObj(i -> held("wf-" + i)).toList();
        for (int i = 0; i < 12; i++) {
            runs = runs.stream()
                    .map(held -> {
                        Commit step = held.commit(events(1 + held.nextSeq() % 3), NextState.running(held.lease()));
                        committed(step);
                        return held.after(step);
                    })
                    .toList();
        }
        List<UUID> ids = runs.stream().map(Held::runId).toList();
        List<HistoryRow> rows = store().histories(SHARD, ids);
        for (Held held : runs) {
            List<HistoryRow> own = rows.stream()
                    .filter(row -> row.runId().equals(held.runId()))
                    .toList();
            assertThat(own).hasSize(13).isSortedAccordingTo(Comparator.comparing(HistoryRow::seq));
            int seq = 0;
            for (HistoryRow row : own) {
                assertThat(row.seq()).isEqualTo(seq);
                seq += row.count();
            }
            assertThat(seq).isEqualTo(held.nextSeq());
            HistoryRow third = own.get(2);
            assertThat(store().history(SHARD, held.runId(), third.seq()))
                    .get()
                    .usingRecursiveComparison()
                    .isEqualTo(third);
            assertThat(store().history(SHARD, held.runId(), seq)).isEmpty();
        }
    }

    @Test
    default void longHistoryIsReadInOrderOfItsNumbers() {
        Held held = held("a");
        for (int i = 0; i < 150; i++) {
            Commit step = held.step();
            committed(step);
            held = held.after(step);
        }
        assertThat(history(held.runId()))
                .extracting(HistoryRow::seq)
                .containsExactlyElementsOf(IntStream.range(0, 151).boxed().toList());
    }

    @Test
    default void mailIsReadInPagesInTheOrderOfItsPositions() {
        held("a");
        held("ab");
        for (int i = 1; i <= 25; i++) {
            accepted(signal("a", "k" + i * 7 % 100));
            accepted(signal("ab", "other" + i));
        }
        List<InboxMessage> read = new ArrayList<>();
        List<InboxMessage> page = store().mail(SHARD, "a", 0, 10);
        while (!page.isEmpty()) {
            assertThat(page.size()).isLessThanOrEqualTo(10);
            read.addAll(page);
            page = store().mail(SHARD, "a", page.get(page.size() - 1).position(), 10);
        }
        assertThat(read)
                .extracting(InboxMessage::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(read.get(24).key()).isEqualTo("k75");
        assertThat(store().mail(SHARD, "a", 25, 10)).isEmpty();
    }

    @Test
    default void acceptanceTimesFollowThePositions() {
        held("a");
        for (int i = 0; i < 20; i++) {
            accepted(signal("a", "k" + i));
        }
        assertThat(mail("a")).isSortedAccordingTo(Comparator.comparing(InboxMessage::acceptedAt));
    }
}
