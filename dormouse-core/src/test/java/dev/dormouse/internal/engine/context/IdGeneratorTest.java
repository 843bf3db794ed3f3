package dev.dormouse.internal.engine.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdGeneratorTest {
    private static int compareAsBytes(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }

    @Test
    void laterRunsHaveGreaterIds() {
        Random random = new Random(1);
        IdGenerator ids = new IdGenerator(random);
        Instant now = Instant.parse("2030-01-01T00:00:00Z");
        UUID last = ids.run(now);
        for (int i = 0; i < 100_000; i++) {
            now = now.plusMillis(1 + random.nextInt(100_000));
            UUID next = ids.run(now);
            assertThat(compareAsBytes(last, next)).isNegative();
            assertThat(last.toString()).isLessThan(next.toString());
            last = next;
        }
    }

    @Test
    void idsAreUuidsOfVersionSevenAndDiffer() {
        IdGenerator ids = new IdGenerator(new Random(2));
        Instant now = Instant.parse("2030-01-01T00:00:00Z");
        Set<UUID> all = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            UUID id = ids.run(now);
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
            all.add(id);
        }
        assertThat(all).hasSize(10_000);
    }

    @Test
    void newLeaseIsNeverTheIdForNoLease() {
        IdGenerator ids = new IdGenerator(new Random() {
            private static final long serialVersionUID = 1L;

            @Override
            public long nextLong() {
                return 0;
            }
        });
        assertThat(ids.lease()).isNotZero();
    }
}
