package dev.dormouse.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EventTagTest {
    private static final int SEEDS = 100;

    private static EventTag tagOf(Event event) {
        EventReader in = new EventReader(EventCodec.encode(List.of(event)));
        in.number(); // the format
        return Objects.requireNonNull(EventTag.of(in.count()));
    }

    @Test
    void noNumberIsUsedTwice() {
        assertThat(EventTag.values()).extracting(EventTag::number).doesNotHaveDuplicates();
    }

    @Test
    void everyTagIsFoundByItsNumber() {
        assertThat(EventTag.values())
                .allSatisfy(tag -> assertThat(EventTag.of(tag.number())).isEqualTo(tag));
        assertThat(EventTag.of(0)).isNull();
        assertThat(EventTag.of(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void everyRecordWritesTagsOfItsOwnAndEveryTagIsWritten() {
        Map<EventTag, Class<?>> writers = new EnumMap<>(EventTag.class);
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomEvents random = new RandomEvents(seed);
            for (int kind = 0; kind < RandomEvents.KINDS; kind++) {
                Event event = random.event(kind);
                Class<?> other = writers.putIfAbsent(tagOf(event), event.getClass());
                assertThat(other).as(tagOf(event).name()).isIn(null, event.getClass());
            }
        }
        assertThat(writers).containsOnlyKeys(EventTag.values());
        assertThat(writers.values()).contains(Event.class.getPermittedSubclasses());
    }
}
