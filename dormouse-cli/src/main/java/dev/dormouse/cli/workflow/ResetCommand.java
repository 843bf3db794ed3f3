package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reset",
        description = "Starts a new run with the first events of an earlier one, and continues from there.")
final class ResetCommand extends ApiCommand {
    @Mixin
    private final RunOptions run = new RunOptions();

    @Option(
            names = "--events",
            required = true,
            paramLabel = "N",
            description = "The number of events to keep; 'history show ID' numbers them.")
    private int events;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        RunPrinter.changed(screen, api.post(run.path("reset"), Json.object().put("events", events)), "Reset");
        return ExitCode.OK;
    }
}
