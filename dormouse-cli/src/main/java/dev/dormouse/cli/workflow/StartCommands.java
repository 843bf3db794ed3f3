package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.ApiResult;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.base.TimeArguments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands that start a run: {@code workflow start} and {@code workflow run}. */
final class StartCommands {
    private StartCommands() {}

    /** A command with the options of a start. */
    private abstract static class StartingCommand extends ApiCommand {
        @Parameters(index = "0", paramLabel = "TYPE", description = "The workflow type.")
        private String type = "";

        @Parameters(
                index = "1..*",
                paramLabel = "INPUT",
                description = "The input, one JSON value per argument; @FILE reads a file, @- standard input.")
        private List<String> input = List.of();

        @Option(names = "--id", paramLabel = "ID", description = "The workflow id. Default: a new id.")
        private @Nullable String id;

        @Option(names = "--at", paramLabel = "INSTANT", description = "Start at this instant instead of now.")
        private @Nullable String at;

        @Option(names = "--in", paramLabel = "DURATION", description = "Start after this delay: 90s, 1h30m, 2d.")
        private @Nullable String in;

        @Option(names = "--execution-timeout", paramLabel = "DURATION", description = "The time limit. Default: none.")
        private @Nullable String executionTimeout;

        @Option(names = "--memo", paramLabel = "KEY=TEXT", description = "A note shown with the run. Can be repeated.")
        private Map<String, String> memo = Map.of();

        @Option(names = "--queue", paramLabel = "NAME", description = "The queue that the run waits in.")
        private @Nullable String queue;

        @Option(
                names = "--id-reuse",
                paramLabel = "POLICY",
                description =
                        "What to do if the id has a closed run: START_NEW, START_UNLESS_COMPLETED or REJECT. Default: "
                                + "return the closed run.")
        private @Nullable String idReuse;

        final ApiResult start(ApiClient api) {
            ObjectNode body = ApiJson.object().put("type", type);
            if (!input.isEmpty()) {
                body.set("input", JsonInput.all(input, "input", environment()));
            }
            ApiJson.put(body, "id", id);
            ApiJson.put(body, "queue", queue);
            ApiJson.put(body, "idReuse", idReuse);
            ApiJson.put(
                    body, "startAt", TimeArguments.iso(at, "--at", environment().zone()));
            ApiJson.put(body, "startDelay", TimeArguments.iso(in, "--in"));
            ApiJson.put(body, "executionTimeout", TimeArguments.iso(executionTimeout, "--execution-timeout"));
            if (!memo.isEmpty()) {
                memo.forEach(body.putObject("memo")::put);
            }
            return api.call("POST", ApiPath.of("workflows"), body);
        }
    }

    @Command(
            name = "start",
            description = "Starts a workflow without waiting for its result.",
            footer = {"", "Example: dormouse workflow start order '{\"item\": \"lamp\"}' --id order-17"})
    static final class Start extends StartingCommand {
        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ApiResult answer = start(api);
            JsonNode run = answer.accepted();
            RunPrinter.changed(screen, run, answer.status() == 201 ? "Started" : "There was already");
            if (api.isAlone()) {
                screen.remark("It begins when a process with its code opens this store.");
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "run",
            description =
                    "Starts a workflow, waits for its result, and prints it as JSON. The run continues if this command is "
                            + "stopped.",
            footer = {"", "Example: dormouse workflow run greeting '\"Ada\"'"})
    static final class Run extends StartingCommand {
        @Option(names = "--timeout", paramLabel = "DURATION", description = "How long to wait. Default: 1h.")
        private String timeout = "1h";

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            if (api.isAlone()) {
                throw new CommandFailed(
                        ExitCode.NOT_REACHABLE,
                        "Expected a process that executes workflows on this store, but none has it open. Start one, for instance "
                                + "with './dormouse dev', or use 'workflow start'.");
            }
            JsonNode run = start(api).accepted();
            RunOptions options = RunOptions.of(run);
            screen.remark(
                    screen.style().dim("Waiting for " + options.id() + ", run " + ApiJson.text(run, "runId") + "."));
            return ResultCommand.await(
                    api,
                    options,
                    TimeArguments.duration(timeout, "--timeout"),
                    environment().clock(),
                    screen);
        }
    }
}
