package dev.dormouse.cli.term;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A timeline of a run.
 *
 * @param marks the events that concern all rows, such as a takeover
 */
public record RunTimeline(List<Row> rows, List<Mark> marks) {

    /** A step, sleep or other wait. */
    public record Row(String kind, String name, String result, List<Bar> bars) {
        boolean isWait() {
            return kind.equals("sleep") || kind.equals("await") || kind.equals("event") || kind.equals("signal");
        }
    }

    /** An attempt or a wait. */
    public record Bar(Instant from, Optional<Instant> to, String state, int attempt, String note) {
        boolean isWait() {
            return state.equals("waiting") || state.equals("paused");
        }
    }

    /** An event at one instant. */
    public record Mark(Instant at, String kind, String text) {}

    /** Returns the instants of all marks and of the starts and ends of all bars. */
    Stream<Instant> instants() {
        Stream<Instant> ofBars = rows.stream()
                .flatMap(row -> row.bars().stream())
                .flatMap(bar -> Stream.concat(Stream.of(bar.from()), bar.to().stream()));
        return Stream.concat(ofBars, marks.stream().map(Mark::at));
    }
}
