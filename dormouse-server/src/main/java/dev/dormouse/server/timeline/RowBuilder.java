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

/** A row that is being written. Its last bar may be open: nobody knows its end yet, or it lies in the future. */
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

    /** A bar that has ended. */
    RowBuilder bar(Instant from, Instant to, State state, int attempt, String note) {
        bars.add(new Bar(from, Optional.of(to), state, attempt, note));
        return this;
    }

    /** @param to when it will end as things are; null where nobody knows */
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

    /** The open bar ends at another instant than was thought. */
    void moveEnd(Instant to) {
        Bar last = bars.remove(bars.size() - 1);
        bars.add(new Bar(last.from(), Optional.of(to), last.state(), last.attempt(), last.note()));
    }

    boolean isOpenStep(String step) {
        return isOpen && kind == Kind.step && name.equals(step);
    }

    /** Takes the open bar back. */
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

    /** The end of the last bar, where that is known. */
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
