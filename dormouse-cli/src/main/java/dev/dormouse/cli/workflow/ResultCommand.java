package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "result", description = "Prints the result of a run as JSON, or says how it failed.")
final class ResultCommand extends ApiCommand {
    @Mixin
    private final RunPicker run = new RunPicker();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "Wait that long for its end; not at all if not given.")
    private String wait = "PT0S";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return Outcome.print(
                api, run, Moments.duration(wait, "--wait"), environment().clock(), screen);
    }
}
