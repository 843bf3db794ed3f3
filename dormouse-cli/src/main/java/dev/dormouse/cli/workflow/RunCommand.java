package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "run",
        description =
                "Starts a workflow, waits until it is over, and prints its result as JSON. It goes on if this command is "
                        + "stopped.",
        footer = {"", "Example: dormouse workflow run greeting '\"Ada\"'"})
final class RunCommand extends ApiCommand {
    @Mixin
    private final StartOptions options = new StartOptions();

    @Option(names = "--timeout", paramLabel = "DURATION", description = "How long to wait; an hour if not given.")
    private String timeout = "1h";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        if (api.isAlone()) {
            throw new CommandFailed(
                    ExitCode.NOT_REACHABLE,
                    "Expected a process that executes workflows on this store, but none has it open. Start one, for instance "
                            + "with './dormouse dev', or use 'workflow start'.");
        }
        JsonNode run = api.post(ApiPath.of("workflows"), options.body(environment()));
        RunPicker picker = RunPicker.of(run);
        screen.remark(screen.style().dim("Waiting for " + picker.id() + ", run " + Json.text(run, "runId") + "."));
        return Outcome.print(
                api,
                picker,
                Moments.duration(timeout, "--timeout"),
                environment().clock(),
                screen);
    }
}
