package dev.dormouse.server.timeline;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A run over time.
 *
 * @param rows the run itself, then what it did, in the order in which that began
 * @param lines what happened to the run as a whole
 */
public record Timeline(List<Row> rows, List<Line> lines) {

    /** What a row is about. */
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

    /** How a bar is drawn. */
    public enum State {
        done,
        failed,
        running,
        waiting,
        paused
    }

    /**
     * Something that the run did.
     *
     * @param result what came out of it, in a few words
     */
    public record Row(Kind kind, String name, Optional<String> result, List<Bar> bars) {}

    /**
     * A stretch of time; the time between two bars of a step is back-off.
     *
     * @param to in the future for a deadline; null while nobody knows
     * @param attempt of a step, from 1; 1 for all others
     * @param note what there is to say, empty for nothing
     */
    public record Bar(Instant from, Optional<Instant> to, State state, int attempt, String note) {}

    /**
     * Something that happened to the run.
     *
     * @param kind takeover, crash or handover
     */
    public record Line(Instant at, String kind, String text) {}
}
