package dev.dormouse.server.api;

import java.time.Duration;
import java.util.Arrays;

/** How far one can look back and ahead. */
final class Spans {
    private Spans() {}

    /** How far back, and in slots of which length. */
    enum Past {
        QUARTER("15m", Duration.ofMinutes(15), Duration.ofSeconds(10)),
        HOUR("1h", Duration.ofHours(1), Duration.ofSeconds(60)),
        DAY("24h", Duration.ofHours(24), Duration.ofMinutes(15));

        final String text;
        final Duration length;
        final Duration slot;

        Past(String text, Duration length, Duration slot) {
            this.text = text;
            this.length = length;
            this.slot = slot;
        }

        static Past of(String text) {
            return Arrays.stream(values())
                    .filter(span -> span.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> ApiProblem.bad(
                            "?span", "Expected one of [15m, 1h, 24h], but got " + Texts.shown(text) + "."));
        }
    }

    /** How far ahead. */
    enum Ahead {
        HOUR,
        DAY,
        WEEK,
        ALL
    }
}
