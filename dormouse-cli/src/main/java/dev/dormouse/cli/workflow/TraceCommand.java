package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.RunTimeline;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TimelineChart;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(name = "trace", description = "Draws a timeline of a run: attempts, sleeps, takeovers and pending waits.")
final class TraceCommand extends ApiCommand {
    @Mixin
    private final RunOptions options = new RunOptions();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode run = api.get(options.path());
        if (screen.format() == Screen.Format.JSON) {
            screen.json(run.path("timeline"));
            return ExitCode.OK;
        }
        RunPrinter.headline(screen, run);
        screen.line("");
        RunTimeline timeline = timeline(run.path("timeline"));
        if (timeline.rows().stream().allMatch(row -> row.bars().isEmpty())) {
            screen.line("Nothing has happened yet.");
        } else {
            new TimelineChart(timeline, screen).draw();
        }
        return ExitCode.OK;
    }

    /** Reads a timeline of the API. Bars and lines without an instant cannot be drawn and are left out. */
    private static RunTimeline timeline(JsonNode json) {
        return new RunTimeline(
                ApiJson.stream(json.path("rows")).map(TraceCommand::row).toList(),
                ApiJson.stream(json.path("lines")).flatMap(TraceCommand::mark).toList());
    }

    private static RunTimeline.Row row(JsonNode row) {
        return new RunTimeline.Row(
                ApiJson.text(row, "kind"),
                ApiJson.text(row, "name"),
                ApiJson.text(row, "result"),
                ApiJson.stream(row.path("bars")).flatMap(TraceCommand::bar).toList());
    }

    private static Stream<RunTimeline.Bar> bar(JsonNode bar) {
        return ApiJson.instant(bar, "from")
                .map(from -> new RunTimeline.Bar(
                        from,
                        ApiJson.instant(bar, "to"),
                        ApiJson.text(bar, "state"),
                        bar.path("attempt").asInt(1),
                        ApiJson.text(bar, "note")))
                .stream();
    }

    private static Stream<RunTimeline.Mark> mark(JsonNode line) {
        return ApiJson.instant(line, "at")
                .map(at -> new RunTimeline.Mark(at, ApiJson.text(line, "kind"), ApiJson.text(line, "text")))
                .stream();
    }
}
