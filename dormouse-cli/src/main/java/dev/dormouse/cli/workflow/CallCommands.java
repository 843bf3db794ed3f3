package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.IdsCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.base.TimeArguments;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Commands that call a method of a run: {@code workflow signal}, {@code query} and {@code update}. */
final class CallCommands {
    private CallCommands() {}

    /** A command with the name and the arguments of a call. */
    private abstract static class CallCommand extends ApiCommand {
        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the ${COMMAND-NAME}.")
        private String name = "";

        @Parameters(index = "2..*", paramLabel = "ARGUMENT", description = "JSON values, @FILE or @-.")
        private List<String> arguments = List.of();

        ObjectNode body(String kind) {
            ObjectNode body = ApiJson.object().put("name", name);
            body.set("arguments", JsonInput.all(arguments, "argument of the " + kind, environment()));
            return body;
        }
    }

    @Command(
            name = "signal",
            description = "Sends a signal to the open run of a workflow id.",
            footer = {"", "Example: dormouse workflow signal order-17 approve '{\"by\": \"ada\"}'"})
    static final class Signal extends CallCommand {
        @Parameters(
                index = "0",
                paramLabel = "ID",
                description = "The workflow id; - reads ids from standard input, one per line.")
        private String id = "";

        @Option(names = "--key", paramLabel = "KEY", description = "Sending the same key twice has no effect.")
        private @Nullable String key;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = ApiJson.put(body("signal"), "key", key);
            return new BatchCommands.Batch("signal", "Signalled", body)
                    .run(api, IdsCommand.read(List.of(id), environment()), screen);
        }
    }

    @Command(name = "query", description = "Runs a query, which changes nothing, and prints the result as JSON.")
    static final class Query extends CallCommand {
        @Mixin
        private final RunOptions run = new RunOptions();

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ResultCommand.printResult(api.post(run.path("query"), body("query")), screen);
            return ExitCode.OK;
        }
    }

    @Command(name = "update", description = "Runs an update and prints the result as JSON.")
    static final class Update extends CallCommand {
        @Mixin
        private final RunOptions run = new RunOptions();

        @Option(
                names = "--update-id",
                paramLabel = "ID",
                description = "Sending the same update id twice has no effect.")
        private @Nullable String updateId;

        @Option(names = "--wait", paramLabel = "DURATION", description = "How long to wait. Default: 10s.")
        private String wait = "10s";

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = body("update")
                    .put("wait", TimeArguments.duration(wait, "--wait").toString());
            ResultCommand.printResult(api.post(run.path("update"), ApiJson.put(body, "id", updateId)), screen);
            return ExitCode.OK;
        }
    }
}
