package dev.dormouse.sqlite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** UUIDs as bytes. */
class UuidBytesTest {
    @Test
    void idsSortAsTheirBytesDo() {
        List<UUID> sorted = List.of(
                new UUID(0, 0),
                new UUID(0, -1),
                new UUID(1, 0),
                new UUID(Long.MAX_VALUE, 0),
                new UUID(Long.MIN_VALUE, 0),
                new UUID(-1, Long.MAX_VALUE),
                new UUID(-1, -1));
        for (int i = 0; i < sorted.size(); i++) {
            assertThat(UuidBytes.toId(UuidBytes.toBytes(sorted.get(i)))).isEqualTo(sorted.get(i));
            for (int j = 0; j < sorted.size(); j++) {
                int expected = Integer.compare(i, j);
                assertThat(Integer.signum(UuidBytes.ORDER.compare(sorted.get(i), sorted.get(j))))
                        .isEqualTo(expected);
                int ofBytes =
                        Arrays.compareUnsigned(UuidBytes.toBytes(sorted.get(i)), UuidBytes.toBytes(sorted.get(j)));
                assertThat(Integer.signum(ofBytes)).isEqualTo(expected);
            }
        }
    }
}
