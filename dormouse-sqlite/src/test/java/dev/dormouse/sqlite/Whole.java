package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that no run's row contradicts its history: each transaction is visible completely. */
public final class Whole {
    private Whole() {}

    /** All runs of the store, each of which is whole. */
    public static List<RunRow> runs(Store store) {
        List<RunRow> runs = new ArrayList<>();
        Optional<String> page = Optional.empty();
        do {
            RunPage found = store.list(0, RunFilter.ALL, page, 1_000);
            runs.addAll(found.runs());
            page = Optional.ofNullable(found.next());
        } while (page.isPresent());
        runs.forEach(run -> check(store, run));
        return runs;
    }

    private static void check(Store store, RunRow run) {
        int seq = 0;
        long checksum = 0;
        for (HistoryRow row : store.histories(0, List.of(run.runId()))) {
            assertThat(row.seq()).isEqualTo(seq);
            seq += row.count();
            checksum = row.checksum();
        }
        assertThat(run.nextSeq()).isEqualTo(seq).isPositive();
        assertThat(run.checksum()).isEqualTo(checksum);
    }
}
