package dev.dormouse.internal.engine.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizedBatchesTest {
    private static final int MIB = 1 << 20;

    private static List<Integer> sizes(int entries, int bytes) {
        return SizedBatches.of(Collections.nCopies(entries, bytes), Integer::intValue).stream()
                .map(List::size)
                .toList();
    }

    @Test
    void pieceHasAtMostAThousandEntriesAndAboutEightMebibytes() {
        assertThat(sizes(0, 1)).isEmpty();
        assertThat(sizes(1, 100 * MIB)).containsExactly(1);
        assertThat(sizes(1_000, 1)).containsExactly(1_000);
        assertThat(sizes(2_500, 1)).containsExactly(1_000, 1_000, 500);
        assertThat(sizes(10, 2 * MIB)).containsExactly(4, 4, 2);
        assertThat(sizes(9, 3 * MIB)).containsExactly(3, 3, 3);
    }
}
