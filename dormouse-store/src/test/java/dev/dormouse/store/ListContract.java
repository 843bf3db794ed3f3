package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.ofType;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.withRunId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages of a list contain every row once. */
interface ListContract extends ContractWords {

    /** Reads all pages and runs {@code between} after each. */
    private List<RunRow> listAll(RunFilter filter, int limit, Runnable between) {
        List<RunRow> rows = new ArrayList<>();
        Optional<String> page = Optional.empty();
        for (int i = 0; i < 10_000; i++) {
            RunPage found = store().list(SHARD, filter, page, limit);
            assertThat(found.runs().size()).isLessThanOrEqualTo(limit);
            rows.addAll(found.runs());
            if (found.next() == null) {
                return rows;
            }
            page = Optional.of(found.next());
            between.run();
        }
        throw new AssertionError("Expected the pages to end, but they do not.");
    }

    private List<String> idsOf(RunFilter filter, int limit) {
        return listAll(filter, limit, () -> {}).stream().map(RunRow::workflowId).toList();
    }

    private static RunFilter prefix(String prefix) {
        return new RunFilter(prefix, null, Set.of());
    }

    @Test
    default void emptyStoreHasOneEmptyPage() {
        assertThat(listAll(RunFilter.ALL, 10, () -> {})).isEmpty();
        assertThat(listAll(prefix("a"), 10, () -> {})).isEmpty();
    }

    @Test
    default void runsAreListedNewestFirstAndWhole() {
        List<UUID> runs = new ArrayList<>();
        IntStream.range(0, 10).forEach(i -> runs.add(started(pending("wf-" + (i * 7) % 10))));
        Collections.reverse(runs);
        for (int limit : new int[] {1, 3, 5, 10, 11}) {
            List<RunRow> rows = listAll(RunFilter.ALL, limit, () -> {});
            assertThat(rows).extracting(RunRow::runId).containsExactlyElementsOf(runs);
            assertThat(rows).isEqualTo(runs.stream().map(this::row).toList());
        }
    }

    @Test
    default void runIdsOfAnyFormAreSeenExactlyOnce() {
        Set<UUID> runs = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            runs.add(started(withRunId(pending("wf-" + i), UUID.randomUUID())));
        }
        runs.add(started(withRunId(pending("least"), new UUID(0, 0))));
        runs.add(started(withRunId(pending("most"), new UUID(-1, -1))));
        List<RunRow> rows = listAll(RunFilter.ALL, 7, () -> {});
        assertThat(rows).extracting(RunRow::runId).containsExactlyInAnyOrderElementsOf(runs);
        assertThat(listAll(prefix(""), 7, () -> {}))
                .extracting(RunRow::runId)
                .containsExactlyInAnyOrderElementsOf(runs);
    }

    @Test
    default void everyRunIsSeenExactlyOnceWhileOthersAreAdded() {
        Set<String> there = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            there.add("wf-" + (i * 2 + 100));
            held("wf-" + (i * 2 + 100));
        }
        for (RunFilter filter : List.of(RunFilter.ALL, prefix("wf-"))) {
            List<RunRow> rows = listAll(filter, 4, () -> {
                String unused = "wf-" + now() + Samples.newLease();
                held(unused);
            });
            List<String> old = rows.stream()
                    .map(RunRow::workflowId)
                    .filter(there::contains)
                    .toList();
            assertThat(old).containsExactlyInAnyOrderElementsOf(there);
            assertThat(rows).extracting(RunRow::runId).doesNotHaveDuplicates();
        }
    }

    @Test
    default void filtersMayBeCombined() {
        started(ofType(pending("a-1"), "A"));
        started(ofType(leased("a-2"), "A"));
        started(ofType(leased("b-1"), "B"));
        started(ofType(pending("b-2"), "A"));
        closed("a-3", RunStatus.FAILED);
        Set<RunStatus> open = Set.of(RunStatus.PENDING, RunStatus.RUNNING);
        assertThat(idsOf(new RunFilter(null, "A", Set.of()), 2)).containsExactly("b-2", "a-2", "a-1");
        assertThat(idsOf(new RunFilter(null, null, Set.of(RunStatus.PENDING)), 2))
                .containsExactly("b-2", "a-1");
        assertThat(idsOf(new RunFilter(null, null, Set.of(RunStatus.FAILED)), 2))
                .containsExactly("a-3");
        assertThat(idsOf(new RunFilter("a-", "A", Set.of()), 1)).containsExactly("a-1", "a-2");
        assertThat(idsOf(new RunFilter("a-", null, open), 1)).containsExactly("a-1", "a-2");
        assertThat(idsOf(new RunFilter("b", "A", open), 1)).containsExactly("b-2");
        assertThat(idsOf(new RunFilter("c", "A", open), 1)).isEmpty();
        assertThat(idsOf(new RunFilter(null, "a", Set.of()), 1)).isEmpty();
    }

    @Test
    default void rareMatchIsFoundAmongManyOthers() {
        List<Start> starts =
                IntStream.range(0, 1500).mapToObj(i -> pending("wf-" + i)).toList();
        started(ofType(pending("rare"), "Rare"));
        store().start(SHARD, starts);
        assertThat(idsOf(new RunFilter(null, "Rare", Set.of()), 1)).containsExactly("rare");
        assertThat(idsOf(new RunFilter("", "Rare", Set.of()), 1)).containsExactly("rare");
    }

    @Test
    default void prefixListsByWorkflowIdAndAllRunsOfEach() {
        closed("order-2", RunStatus.COMPLETED);
        started(replacing(pending("order-2"), RunStatus.COMPLETED));
        started(pending("order-10"));
        started(pending("order-1"));
        started(pending("order"));
        started(pending("other"));
        for (int limit = 1; limit < 7; limit++) {
            assertThat(idsOf(prefix("order-"), limit)).containsExactly("order-1", "order-10", "order-2", "order-2");
        }
    }

    @Test
    default void prefixIsTakenLiterally() {
        List<String> ids = List.of("a%b", "a_b", "axb", "A%b", "a\\b", "a'b", "a", "ab", "ä1", "a\u030801");
        ids.forEach(id -> started(pending(id)));
        assertThat(idsOf(prefix("a%"), 10)).containsExactly("a%b");
        assertThat(idsOf(prefix("a_"), 10)).containsExactly("a_b");
        assertThat(idsOf(prefix("A"), 10)).containsExactly("A%b");
        assertThat(idsOf(prefix("a\\"), 10)).containsExactly("a\\b");
        assertThat(idsOf(prefix("a'"), 10)).containsExactly("a'b");
        assertThat(idsOf(prefix("ä"), 10)).containsExactly("ä1");
        assertThat(idsOf(prefix("%"), 10)).isEmpty();
        assertThat(idsOf(prefix(""), 3)).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    default void prefixFindsWhateverCharactersFollow() {
        List<String> ids =
                List.of("x", "x\uFFFF", "x\uD7FF", "x\uE000", "x\uD83D\uDC2D", "x\uDBFF\uDFFF", "x\uDBFF\uDFFFy");
        ids.forEach(id -> started(pending(id)));
        started(pending("y"));
        assertThat(idsOf(prefix("x"), 2)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(idsOf(prefix("x\uDBFF\uDFFF"), 1)).containsExactlyInAnyOrder("x\uDBFF\uDFFF", "x\uDBFF\uDFFFy");
        assertThat(idsOf(prefix("x\uD83D\uDC2D"), 1)).containsExactly("x\uD83D\uDC2D");
        assertThat(idsOf(prefix("x\uFFFF"), 1)).containsExactly("x\uFFFF");
    }
}
