package dev.dormouse.server.timeline;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A run over time.
 *
 * @param rows the run itself, then its steps, waits and messages by start time
 * @param lines events that concern the run as a whole
 */
public record Timeline(List<Row> rows, List<Line> lines) {

    /** The subject of a row. */
    public enum Kind {
        run,
        step,
        sleep,
        await,
        child,
        signal,
        event,
        mark,
        update
    }

    /** The state of a bar, which decides how it is drawn. */
    public enum State {
        done,
        failed,
        running,
        waiting,
        paused
    }

    /**
     * A step, wait or message of the run.
     *
     * @param result its result, shortened
     */
    public record Row(Kind kind, String name, Optional<String> result, List<Bar> bars) {}

    /**
     * A period of time. The time between two bars of a step is back-off.
     *
     * @param to in the future for a deadline; empty while it is not known
     * @param attempt the attempt of a step, from 1; 1 for all other rows
     * @param note a remark, or empty
     */
    public record Bar(Instant from, Optional<Instant> to, State state, int attempt, String note) {}

    /**
     * An event that concerns the run as a whole.
     *
     * @param kind takeover, crash or handover
     */
    public record Line(Instant at, String kind, String text) {}
}
