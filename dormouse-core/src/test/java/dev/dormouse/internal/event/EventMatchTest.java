package dev.dormouse.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The keys by which events and the runs that wait for them are matched. */
class EventMatchTest {
    @Test
    void valuesAreComparedByTheirJson() {
        Map<String, Object> event = new HashMap<>();
        event.put("text", "a");
        event.put("number", 1.0);
        event.put("yes", true);
        event.put("none", null);
        event.put("list", List.of(10, Map.of("x", "y")));
        Set<String> keys = EventMatch.keys(event);
        assertThat(keys.containsAll(EventMatch.of(Map.of("text", "a", "number", 1, "yes", true))
                        .keys()))
                .isTrue();
        assertThat(keys.containsAll(
                        EventMatch.of(Map.of("$.list[0]", 10, "list.1.x", "y")).keys()))
                .isTrue();
        Map<String, Object> none = new HashMap<>();
        none.put("none", null);
        assertThat(keys.containsAll(EventMatch.of(none).keys())).isTrue();
        for (Map<String, ?> wrong : List.<Map<String, ?>>of(
                Map.of("text", "b"),
                Map.of("number", "1"),
                Map.of("yes", "true"),
                Map.of("missing", "x"),
                Map.of("list.2", 1),
                Map.of("list.x", 1),
                Map.of("text.a", 1))) {
            assertThat(keys.containsAll(EventMatch.of(wrong).keys()))
                    .as(wrong.toString())
                    .isFalse();
        }
        assertThat(EventMatch.keys(null).containsAll(EventMatch.of(Map.of()).keys()))
                .isTrue();
        for (Map<String, ?> right : List.<Map<String, ?>>of(
                Map.of(), none, Map.of("text", "a"), Map.of("number", 1), Map.of("list.1.x", "y"))) {
            assertThat(EventMatch.keys(event))
                    .as(right.toString())
                    .contains(EventMatch.filedUnder(EventMatch.of(right).keys()));
        }
    }
}
