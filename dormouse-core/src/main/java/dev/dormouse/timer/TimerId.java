package dev.dormouse.timer;

import dev.dormouse.internal.value.Ids;

/**
 * The id of a timer, either chosen by the caller ({@link TimerOptions#id}) or generated. Immutable.
 *
 * @param value the id as a text
 */
public record TimerId(String value) {
    public TimerId {
        Ids.checkTimerId(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
