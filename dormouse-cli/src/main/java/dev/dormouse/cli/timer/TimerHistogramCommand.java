package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.BarChart;
import dev.dormouse.cli.term.Screen;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "histogram", description = "Draws a histogram of due timers, sleeps and deadlines over time.")
final class TimerHistogramCommand extends ApiCommand {

    /** The period that is drawn, from now. */
    enum Span {
        HOUR,
        DAY,
        WEEK,
        ALL
    }

    @Option(names = "--span", paramLabel = "SPAN", description = "The period: hour, day, week or all. Default: hour.")
    private Span span = Span.HOUR;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode histogram = api.get(
                ApiPath.of("timers", "histogram").with("span", span.name().toLowerCase(Locale.ROOT)));
        if (screen.format() == Screen.Format.JSON) {
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
