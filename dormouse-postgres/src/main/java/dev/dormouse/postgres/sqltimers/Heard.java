package dev.dormouse.postgres.sqltimers;

import dev.dormouse.store.Micros;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a notification says. Anybody can send one: whatever it says costs no more than a look. */
sealed interface Heard {
    /** There are timers of this role or handler at this instant, and perhaps after it. */
    record Timer(Instant at, boolean isAction, String name) implements Heard {}

    /** A table that nodes read has changed. */
    record Changed() implements Heard {}

    /** A node tries whether notifications arrive. */
    record Probe(String id) implements Heard {}

    /** Microseconds of at most 18 digits; a name may hold anything. */
    Pattern TIMER = Pattern.compile("(-?\\d{1,18}) (action|handler) (.+)", Pattern.DOTALL);

    static Optional<Heard> parse(String payload) {
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
