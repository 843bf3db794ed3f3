package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** When it is time: by cron in a zone, or every so often. */
final class Timetable {
    @Option(names = "--cron", paramLabel = "EXPRESSION", description = "Such as '0 9 * * MON-FRI', in quotes.")
    private @Nullable String cron;

    @Option(names = "--zone", paramLabel = "ZONE", description = "The time zone of --cron; UTC if not given.")
    private @Nullable String zone;

    @Option(names = "--every", paramLabel = "DURATION", description = "Instead of --cron: 15m, 6h, PT90S.")
    private @Nullable String every;

    @Option(names = "--anchor", paramLabel = "INSTANT", description = "An instant that --every counts from.")
    private @Nullable String anchor;

    boolean isGiven() {
        return cron != null || every != null;
    }

    void into(ObjectNode body, Environment environment) {
        check();
        put(body, "cron", cron);
        put(body, "zone", zone);
        put(body, "every", every());
        put(body, "anchor", anchor(environment));
    }

    ApiPath into(ApiPath path) {
        check();
        return path.with("cron", cron).with("zone", zone).with("every", every());
    }

    private @Nullable String every() {
        return every == null ? null : Moments.duration(every, "--every").toString();
    }

    private @Nullable String anchor(Environment environment) {
        return anchor == null
                ? null
                : Moments.instant(anchor, "--anchor", environment.zone()).toString();
    }

    private void check() {
        if ((cron == null) == (every == null)) {
            throw CommandFailed.usage(
                    "Expected --cron or --every, but got " + (cron == null ? "neither" : "both") + ".");
        }
        if (zone != null && cron == null || anchor != null && every == null) {
            throw CommandFailed.usage("Expected --zone with --cron and --anchor with --every, but got it without.");
        }
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
