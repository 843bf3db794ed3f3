package dev.dormouse.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values of JDK classes come back unchanged or are refused. */
class OddValuesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final JacksonCodec CODEC = new JacksonCodec();

    private record Appointment(ZonedDateTime begin, OffsetDateTime end, List<ZonedDateTime> reminders) {}

    private static Object roundTrip(Object value) {
        return CODEC.decode(CODEC.encode(value), value.getClass());
    }

    @Test
    void timesKeepTheirZoneAndOffset() {
        LocalDateTime twice = LocalDateTime.of(2026, 10, 25, 2, 30); // 02:30 comes twice that night
        for (ZoneOffset offset : List.of(ZoneOffset.ofHours(1), ZoneOffset.ofHours(2))) {
            ZonedDateTime begin = ZonedDateTime.ofLocal(twice, BERLIN, offset);
            Appointment appointment = new Appointment(
                    begin,
                    OffsetDateTime.of(twice, ZoneOffset.ofHours(5)),
                    List.of(
                            begin,
                            begin.withZoneSameInstant(ZoneOffset.UTC),
                            begin.withZoneSameInstant(ZoneId.of("UTC")),
                            begin.withFixedOffsetZone()));
            assertThat(roundTrip(appointment)).isEqualTo(appointment);
        }
    }

    @Test
    void timesThatEarlierReleasesWroteWithoutAZoneAreRead() {
        Payload old =
                new Payload("json", "\"2026-01-01T01:01:01+01:00\"".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(CODEC.decode(old, ZonedDateTime.class))
                .isEqualTo(ZonedDateTime.of(2026, 1, 1, 1, 1, 1, 0, ZoneOffset.ofHours(1)));
    }

    @Test
    void classesOfJavaThatCannotBeReadBackAreRefused() {
        for (Object value : List.of(BitSet.valueOf(new long[] {5}), new IntSummaryStatistics())) {
            assertThatThrownBy(() -> CODEC.encode(value))
                    .isInstanceOf(DormouseException.class)
                    .hasMessageStartingWith("[DM1003] Expected")
                    .hasMessageContaining("nothing of a " + value.getClass().getName());
        }
    }

    @Test
    void exceptionsAreReadBackWithTheirMessages() {
        Object back = roundTrip(new IllegalStateException("outer", new IllegalArgumentException("inner")));
        assertThat(back).isInstanceOf(IllegalStateException.class);
        assertThat((Throwable) back).hasMessage("outer").hasRootCauseMessage("inner");
    }
}
