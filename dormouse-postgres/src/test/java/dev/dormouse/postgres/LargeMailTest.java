package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeMailTest {

    @Test
    void pageOfMailEndsWhenItHasEightMebibytes() {
        try (Store store = TestPostgres.open(TestPostgres.newSchema())) {
            store.start(0, List.of(Runs.pending("a", Alarm.NOW)));
            for (int i = 0; i < 7; i++) {
                store.deliver(0, List.of(new Delivery("a", "k" + i, 1, new byte[2 << 20])), Runs.LEASE);
            }
            assertThat(store.mail(0, "a", 0, 1_000))
                    .extracting(InboxMessage::position)
                    .containsExactly(1L, 2L, 3L, 4L);
            assertThat(store.mail(0, "a", 4, 1_000))
                    .extracting(InboxMessage::position)
                    .containsExactly(5L, 6L, 7L);
            assertThat(store.mail(0, "a", 0, 2)).hasSize(2);
        }
    }
}
