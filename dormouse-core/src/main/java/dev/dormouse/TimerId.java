package dev.dormouse;

import dev.dormouse.engine.TimerTypes;

/** The id of a timer, chosen by who schedules it ({@link TimerOptions#id}) or made. */
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
