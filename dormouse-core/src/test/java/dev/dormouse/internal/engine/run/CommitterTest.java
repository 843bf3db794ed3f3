package dev.dormouse.internal.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The maximum size of a commit. */
class CommitterTest {
    private static final byte[] MEBIBYTE = new byte[1 << 20];

    private static Commit commit(int items) {
        return new Commit(
                UUID.randomUUID(),
                Fence.of(1, 1),
                new Append(1, MEBIBYTE, 0),
                0,
                NextState.running(1),
                IntStream.range(0, items)
                        .mapToObj(i -> new Outgoing(UUID.randomUUID(), "w" + i, 1, MEBIBYTE))
                        .toList());
    }

    @Test
    void commitOf256MebibytesIsSent() {
        assertThat(Committer.isTooLarge(commit(255))).isFalse();
    }

    @Test
    void largerCommitIsRefusedWithItsSize() {
        Commit large = commit(256);
        assertThat(Committer.isTooLarge(large)).isTrue();
        assertThat(Committer.tooLarge(large))
                .hasMessageStartingWith("[DM3030] Expected a commit of at most 256 MiB, but that of run "
                        + large.runId() + " has 257 MiB in 1 events and 256 items for other workflow ids.");
    }
}
