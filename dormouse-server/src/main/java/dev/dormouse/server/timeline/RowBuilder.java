package dev.dormouse.server.timeline;

import dev.dormouse.server.timeline.Timeline.Bar;
import dev.dormouse.server.timeline.Timeline.Kind;
import dev.dormouse.server.timeline.Timeline.Row;
import dev.dormouse.server.timeline.Timeline.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A builder of a row. Its last bar may be open: its end is not known yet or lies in the future. Not thread-safe. */
final class RowBuilder {
    private final Kind kind;
    private final String name;
    private final List<Bar> bars = new ArrayList<>();
    private @Nullable String result;
    private boolean isOpen;

    RowBuilder(Kind kind, String name) {
        this.kind = kind;
        this.name = name;
    }

    /** Adds a bar that has ended. */
    RowBuilder bar(Instant from, Instant to, State state, int attempt, String note) {
        bars.add(new Bar(from, Optional.of(to), state, attempt, note));
        return this;
    }

    /**
     * Adds an open bar.
     *
     * @param to its expected end; null if that is not known
     */
    RowBuilder open(Instant from, @Nullable Instant to, State state, int attempt, String note) {
        bars.add(new Bar(from, Optional.ofNullable(to), state, attempt, note));
        isOpen = true;
        return this;
    }

    /** Ends the open bar. */
    void end(Instant to, State state, String note) {
        Bar last = bars.remove(bars.size() - 1);
        bars.add(new Bar(last.from(), Optional.of(to), state, last.attempt(), note.isEmpty() ? last.note() : note));
        isOpen = false;
    }

    /** Ends the open bar, if it began earlier, and adds an open bar for a wait. */
    void waitsSince(Instant since) {
        Bar last = withdraw();
        if (last.from().isBefore(since)) {
            bar(last.from(), since, State.done, last.attempt(), last.note());
            open(since, null, State.waiting, last.attempt(), "");
        } else {
            open(last.from(), null, State.waiting, last.attempt(), last.note());
        }
    }

    /** Changes the expected end of the open bar. */
    void moveEnd(Instant to) {
        Bar last = bars.remove(bars.size() - 1);
        bars.add(new Bar(last.from(), Optional.of(to), last.state(), last.attempt(), last.note()));
    }

    boolean isOpenStep(String step) {
        return isOpen && kind == Kind.step && name.equals(step);
    }

    /** Removes the open bar and returns it. */
    Bar withdraw() {
        isOpen = false;
        return bars.remove(bars.size() - 1);
    }

    boolean isOpen() {
        return isOpen;
    }

    boolean isStepOrChild() {
        return kind == Kind.step || kind == Kind.child;
    }

    /** Returns the end of the last bar, if it is known. */
    Optional<Instant> until() {
        return bars.isEmpty() ? Optional.empty() : bars.get(bars.size() - 1).to();
    }

    int attempts() {
        return bars.isEmpty() ? 0 : bars.get(bars.size() - 1).attempt();
    }

    void result(@Nullable String text) {
        result = text;
    }

    Row row() {
        return new Row(kind, name, Optional.ofNullable(result), List.copyOf(bars));
    }
}
