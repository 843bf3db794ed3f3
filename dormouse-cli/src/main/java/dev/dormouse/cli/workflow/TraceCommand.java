package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Timeline;
import dev.dormouse.cli.term.TimelineChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
        name = "trace",
        description =
                "Draws what a run did and when: steps and their attempts, sleeps, takeovers, and what is still to come.")
final class TraceCommand extends ApiCommand {
    @Mixin
    private final RunPicker picker = new RunPicker();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode run = api.get(picker.path());
        if (screen.format() == Format.JSON) {
            screen.json(run.path("timeline"));
            return ExitCode.OK;
        }
        Headline.print(screen, run);
        screen.line("");
        Timeline timeline = TimelineJson.read(run.path("timeline"));
        if (timeline.rows().stream().allMatch(row -> row.bars().isEmpty())) {
            screen.line("Nothing has happened yet.");
        } else {
            new TimelineChart(timeline, screen).draw();
        }
        return ExitCode.OK;
    }
}
