package dev.dormouse.server.api;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of every change that a caller made or tried to make: caller, role, request, ids and outcome. */
final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("dormouse.audit");
    private static final int LONGEST = 200;
    private static final int OF_A_TOKEN = 8;

    /** Characters that end a line, move the cursor, or end a quoted value. */
    private static final Pattern ODD = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\"]");

    private static final Pattern PLAIN = Pattern.compile("[^\\s\\p{Z}=]+");

    private AuditLog() {}

    static void write(Caller caller, Router.Match match, ApiResponse response) {
        String ids = match.values().entrySet().stream()
                .map(value -> " " + value.getKey() + "=" + shown(value.getKey(), value.getValue()))
                .sorted()
                .collect(Collectors.joining());
        String made = response.subject().isEmpty() ? "" : " id=" + shown("id", response.subject());
        LOG.info(
                "who={} role={} what=\"{} {}\"{}{} outcome={}",
                shown("", caller.name()),
                caller.role().name().toLowerCase(Locale.ROOT),
                match.route().method(),
                match.route().pattern(),
                ids,
                made,
                response.status());
    }

    /** Logs a change of one id in a batch. */
    static void write(Caller caller, String what, String id, String outcome) {
        LOG.info(
                "who={} role={} what=\"{}\" id={} outcome={}",
                shown("", caller.name()),
                caller.role().name().toLowerCase(Locale.ROOT),
                what,
                shown("id", id),
                outcome);
    }

    /** Returns the value on one line, without most of a token, and quoted if it could be read as several values. */
    private static String shown(String name, String value) {
        int longest = name.equals("token") ? OF_A_TOKEN : LONGEST;
        String whole = value.length() <= longest ? value : value.substring(0, longest) + "…";
        String line = ODD.matcher(whole).replaceAll("?");
        return PLAIN.matcher(line).matches() ? line : "\"" + line + "\"";
    }
}
