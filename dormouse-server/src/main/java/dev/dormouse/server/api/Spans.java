package dev.dormouse.server.api;

import java.time.Duration;
import java.util.Arrays;

/** How far one can look back. */
enum Spans {
    QUARTER("15m", Duration.ofMinutes(15)),
    HOUR("1h", Duration.ofHours(1)),
    DAY("24h", Duration.ofHours(24));

    private final String text;
    private final Duration length;

    Spans(String text, Duration length) {
        this.text = text;
        this.length = length;
    }

    String text() {
        return text;
    }

    Duration length() {
        return length;
    }

    static Spans of(String text) {
        return Arrays.stream(values())
                .filter(span -> span.text.equals(text))
                .findFirst()
                .orElseThrow(() ->
                        ApiProblem.bad("?span", "Expected one of [15m, 1h, 24h], but got " + Texts.shown(text) + "."));
    }
}
