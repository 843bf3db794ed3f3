package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.base.TimeOptions;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands that change one run: {@code workflow move} and {@code workflow reset}. */
final class RunChangeCommands {
    private RunChangeCommands() {}

    @Command(
            name = "move",
            description = "Reschedules a wait of a run: a sleep, a deadline or a retry. --in 0s ends it now.",
            footer = {"", "Example: dormouse workflow move order-17 --in 0s"})
    static final class Move extends ApiCommand {
        @Mixin
        private final RunOptions run = new RunOptions();

        @Option(
                names = "--call",
                paramLabel = "N",
                description = "The number of the wait, as shown by 'workflow show'. Needed only if there are several.")
        private @Nullable Integer call;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, stored in the history.")
        private @Nullable String reason;

        @ArgGroup(multiplicity = "1")
        private TimeOptions when = new TimeOptions();

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = when.into(ApiJson.object(), environment());
            String number = call == null ? onlyWait(api) : Integer.toString(call);
            api.post(run.path("waits", number, "move"), ApiJson.put(body, "reason", reason));
            screen.line("Moved wait " + number + " of " + Text.clean(run.id()) + ".");
            return ExitCode.OK;
        }

        private String onlyWait(ApiClient api) {
            JsonNode description = api.get(run.path());
            List<String> movable = ApiJson.stream(description.path("waits"))
                    .filter(wait -> wait.path("canMove").asBoolean(false))
                    .map(wait -> ApiJson.text(wait, "call"))
                    .toList();
            if (movable.size() > 1) {
                throw CommandFailed.usage("Expected one wait of " + Text.clean(run.id())
                        + " that can be moved, but there are several: " + movable + ". Choose with --call.");
            } else if (movable.isEmpty()) {
                throw new CommandFailed(
                        ExitCode.CONFLICT,
                        "Expected one wait of " + Text.clean(run.id()) + " that can be moved, but " + why(description));
            }
            return movable.get(0);
        }

        private String why(JsonNode description) {
            return description.path("waits").isArray()
                    ? "there is none. See 'workflow show " + Text.clean(run.id()) + "' for what it does."
                    : "no live node has the code of " + Text.clean(ApiJson.text(description, "type"))
                            + ", or it did not respond. See 'node list'.";
        }
    }

    @Command(name = "reset", description = "Starts a new run from the first events of an earlier one.")
    static final class Reset extends ApiCommand {
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
            RunPrinter.changed(
                    screen, api.post(run.path("reset"), ApiJson.object().put("events", events)), "Reset");
            return ExitCode.OK;
        }
    }
}
