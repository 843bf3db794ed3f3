package dev.dormouse.server.view;

import dev.dormouse.WaitDescription;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that a run's code waits for.
 *
 * @param call its number in the run
 * @param at the line of code
 */
public record WaitView(
        int call, String kind, String name, Instant since, Optional<Instant> until, boolean canMove, String at) {

    public static WaitView of(WaitDescription wait) {
        return new WaitView(
                wait.call(), kind(wait), wait.name(), wait.since(), wait.until(), wait.canMove(), wait.at());
    }

    private static String kind(WaitDescription wait) {
        return switch (wait.kind()) {
            case CONDITION -> "await";
            case STEP -> wait.until().isPresent() ? "retry" : "step";
            default -> wait.kind().name().toLowerCase(Locale.ROOT);
        };
    }
}
