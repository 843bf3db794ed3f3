package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.Store;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeMailTest {
    @TempDir
    Path directory;

    @Test
    void pageOfMailEndsWhenItHasEightMebibytes() {
        try (Store store = Stores.open(directory.resolve("mail.db"))) {
            store.start(0, List.of(Sample.pending("a")));
            for (int i = 0; i < 7; i++) {
                store.deliver(0, List.of(new Delivery("a", "k" + i, 1, new byte[2 << 20])), Duration.ofMinutes(1));
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
