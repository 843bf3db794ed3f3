package dev.dormouse.postgres.sqltimers;

import dev.dormouse.store.base.Micros;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The content of a notification. Any role can send one, so it must cost at most one look at the database. */
sealed interface TimerNotice {
    /** There are timers of this role or handler at this instant, and perhaps later. */
    record Timer(Instant at, boolean isAction, String name) implements TimerNotice {}

    /** A table that nodes read has changed. */
    record Changed() implements TimerNotice {}

    /** A node tests whether notifications arrive. */
    record Probe(String id) implements TimerNotice {}

    /** Microseconds of at most 18 digits; a name may contain anything. */
    Pattern TIMER = Pattern.compile("(-?\\d{1,18}) (action|handler) (.+)", Pattern.DOTALL);

    static Optional<TimerNotice> parse(String payload) {
        if (payload.equals("roles") || payload.equals("settings")) {
            return Optional.of(new Changed());
        } else if (payload.startsWith("probe ")) {
            return Optional.of(new Probe(payload.substring("probe ".length())));
        }
        Matcher timer = TIMER.matcher(payload);
        if (!timer.matches()) {
            return Optional.empty();
        }
        Instant at = Micros.toInstant(Long.parseLong(timer.group(1)));
        return Optional.of(new Timer(at, timer.group(2).equals("action"), timer.group(3)));
    }
}
