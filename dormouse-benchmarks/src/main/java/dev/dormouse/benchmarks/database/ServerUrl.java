package dev.dormouse.benchmarks.database;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URL of a database, from which the URLs of others on the same server are derived. */
record ServerUrl(String jdbcUrl) {
    private static final Pattern FORM = Pattern.compile("(jdbc:postgresql://[^/?]+/)([^?]*)(\\?.*)?");

    ServerUrl {
        if (!FORM.matcher(jdbcUrl).matches()) {
            throw new IllegalArgumentException("Expected a URL such as jdbc:postgresql://HOST:PORT/DATABASE?user=ROLE, "
                    + "but got another form.");
        }
    }

    String of(String database) {
        Matcher parts = FORM.matcher(jdbcUrl);
        if (!parts.matches()) {
            throw new IllegalStateException("checked before");
        }
        String parameters = parts.group(3);
        return parts.group(1) + database + (parameters == null ? "" : parameters);
    }
}
