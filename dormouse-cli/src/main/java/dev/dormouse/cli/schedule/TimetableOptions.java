package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.TimeArguments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options for the start times of a schedule: a cron expression in a time zone, or an interval. */
final class TimetableOptions {
    @Option(names = "--cron", paramLabel = "EXPRESSION", description = "Such as '0 9 * * MON-FRI', in quotes.")
    private @Nullable String cron;

    @Option(names = "--zone", paramLabel = "ZONE", description = "The time zone of --cron. Default: UTC.")
    private @Nullable String zone;

    @Option(names = "--every", paramLabel = "DURATION", description = "An interval instead of --cron: 15m, 6h, PT90S.")
    private @Nullable String every;

    @Option(names = "--anchor", paramLabel = "INSTANT", description = "The instant from which --every counts.")
    private @Nullable String anchor;

    boolean isGiven() {
        return cron != null || every != null;
    }

    void into(ObjectNode body, Environment environment) {
        check();
        ApiJson.put(body, "cron", cron);
        ApiJson.put(body, "zone", zone);
        ApiJson.put(body, "every", TimeArguments.iso(every, "--every"));
        ApiJson.put(body, "anchor", TimeArguments.iso(anchor, "--anchor", environment.zone()));
    }

    ApiPath into(ApiPath path) {
        check();
        return path.with("cron", cron).with("zone", zone).with("every", TimeArguments.iso(every, "--every"));
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
}
