package dev.dormouse.server.api;

import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A line for each change that somebody made or tried to make: who, as what, what, of which id, and what came of it. */
final class Audit {
    private static final Logger LOG = LoggerFactory.getLogger("dormouse.audit");
    private static final int LONGEST = 200;

    private Audit() {}

    static void write(Caller caller, Router.Match match, ApiResponse response) {
        String ids = match.values().entrySet().stream()
                .map(value -> value.getKey() + "=" + shown(value.getKey(), value.getValue()))
                .sorted()
                .collect(Collectors.joining(" "));
        String made = response.subject().isEmpty() ? "" : "id=" + shown("id", response.subject());
        LOG.info(
                "who={} role={} what=\"{} {}\" {}{} outcome={}",
                shown("", caller.name()),
                caller.role().name().toLowerCase(Locale.ROOT),
                match.route().method(),
                match.route().pattern(),
                ids,
                made,
                response.status());
    }

    /** For one of many. */
    static void write(Caller caller, String what, String id, String outcome) {
        LOG.info(
                "who={} role={} what=\"{}\" id={} outcome={}",
                shown("", caller.name()),
                caller.role().name().toLowerCase(Locale.ROOT),
                what,
                shown("id", id),
                outcome);
    }

    /** On one line, and without what must stay secret. */
    private static String shown(String name, String value) {
        if (name.equals("token")) {
            return value.substring(0, Math.min(8, value.length())) + "…";
        }
        String line = value.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}\"]", "?");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
