package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Timeline;
import dev.dormouse.cli.term.TimelineChart;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
        name = "trace",
        description = "Draws a timeline of a run: steps and their attempts, sleeps, takeovers and pending waits.")
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
        Timeline timeline = timeline(run.path("timeline"));
        if (timeline.rows().stream().allMatch(row -> row.bars().isEmpty())) {
            screen.line("Nothing has happened yet.");
        } else {
            new TimelineChart(timeline, screen).draw();
        }
        return ExitCode.OK;
    }

    /** Reads a timeline of the API. Bars and lines without an instant cannot be drawn and are left out. */
    private static Timeline timeline(JsonNode json) {
        return new Timeline(
                Json.stream(json.path("rows")).map(TraceCommand::row).toList(),
                Json.stream(json.path("lines")).flatMap(TraceCommand::mark).toList());
    }

    private static Timeline.Row row(JsonNode row) {
        return new Timeline.Row(
                Json.text(row, "kind"),
                Json.text(row, "name"),
                Json.text(row, "result"),
                Json.stream(row.path("bars")).flatMap(TraceCommand::bar).toList());
    }

    private static Stream<Timeline.Bar> bar(JsonNode bar) {
        return Json.instant(bar, "from")
                .map(from -> new Timeline.Bar(
                        from,
                        Json.instant(bar, "to"),
                        Json.text(bar, "state"),
                        bar.path("attempt").asInt(1),
                        Json.text(bar, "note")))
                .stream();
    }

    private static Stream<Timeline.Mark> mark(JsonNode line) {
        return Json.instant(line, "at")
                .map(at -> new Timeline.Mark(at, Json.text(line, "kind"), Json.text(line, "text")))
                .stream();
    }
}
