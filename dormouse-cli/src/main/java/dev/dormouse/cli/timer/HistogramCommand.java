package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.BarChart;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "histogram", description = "Draws how many timers, sleeps and deadlines are due when.")
final class HistogramCommand extends ApiCommand {

    /** How far ahead. */
    enum Span {
        HOUR,
        DAY,
        WEEK,
        ALL
    }

    @Option(
            names = "--span",
            paramLabel = "SPAN",
            description = "The next hour, day, week, or all; an hour if not given.")
    private Span span = Span.HOUR;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode histogram = api.get(
                ApiPath.of("timers", "histogram").with("span", span.name().toLowerCase(Locale.ROOT)));
        if (screen.format() == Format.JSON) {
            screen.json(histogram);
            return ExitCode.OK;
        }
        screen.line(
                screen.style().bold(count(histogram.path("total"))) + " due" + within() + overdue(histogram, screen));
        List<BarChart.Bar> bars = Json.stream(histogram.path("buckets"))
                .map(bucket -> new BarChart.Bar(
                        Json.instant(bucket, "from").orElse(Instant.EPOCH),
                        Json.instant(bucket, "to").orElse(Instant.EPOCH),
                        bucket.path("count").asLong(0)))
                .toList();
        if (!bars.isEmpty()) {
            new BarChart(bars, screen).draw();
        }
        return ExitCode.OK;
    }

    private String within() {
        return span == Span.ALL ? "" : " within the next " + span.name().toLowerCase(Locale.ROOT);
    }

    private static String overdue(JsonNode histogram, Screen screen) {
        JsonNode overdue = histogram.path("overdue");
        return overdue.path("count").asLong(0) == 0 ? "" : ", " + screen.style().red(count(overdue) + " overdue");
    }

    private static String count(JsonNode number) {
        return (number.path("exact").asBoolean(true) ? "" : "about ") + Json.text(number, "count");
    }
}
