package dev.dormouse;

import dev.dormouse.internal.run.TimerTypes;

/** The id of a timer, either chosen by the caller ({@link TimerOptions#id}) or generated. */
public record TimerId(String value) {
    public TimerId {
        Ids.checkTimerId(value);
    }

    String workflowId() {
        return TimerTypes.workflowId(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
