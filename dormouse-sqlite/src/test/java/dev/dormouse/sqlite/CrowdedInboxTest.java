package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One workflow id with a hundred thousand items: a page of them costs as much as a page of a small inbox. */
@Timeout(60)
class CrowdedInboxTest {
    private static final int ITEMS = 100_000;
    private static final int PAGE = 1_000;

    @TempDir
    Path directory;

    private Store store;

    @BeforeEach
    void fill() {
        store = Stores.open(directory.resolve("trial.db"));
        store.start(0, List.of(Sample.leased("crowded")));
        for (int from = 0; from < ITEMS; from += 10 * PAGE) {
            store.deliver(0, signals(from, 10 * PAGE), Sample.LEASE);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Delivery> signals(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> Sample.signal("crowded", "k" + i))
                .toList();
    }

    @Test
    void allPagesTogetherAreReadInOrder() {
        int after = 0;
        for (List<InboxMessage> page = page(after); !page.isEmpty(); page = page(after)) {
            for (InboxMessage mail : page) {
                assertThat(mail.position()).isEqualTo(++after);
            }
        }
        assertThat(after).isEqualTo(ITEMS);
    }

    private List<InboxMessage> page(long after) {
        return store.mail(0, "crowded", after, PAGE);
    }

    /** Reading the whole inbox for each would take minutes. */
    @Test
    void smallPagesAnywhereAndMoreItemsAreQuick() {
        for (int i = 0; i < 2_000; i++) {
            long after = i * 49L;
            assertThat(store.mail(0, "crowded", after, 1).get(0).position()).isEqualTo(after + 1);
        }
        assertThat(store.deliver(0, signals(ITEMS - PAGE, 2 * PAGE), Sample.LEASE)
                        .subList(PAGE, 2 * PAGE))
                .allMatch(DeliverOutcome.Accepted.class::isInstance);
    }
}
