package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.When;
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

@Command(
        name = "move",
        description = "Reschedules a wait of a run: a sleep, a deadline or a retry. --in 0s ends it now.",
        footer = {"", "Example: dormouse workflow move order-17 --in 0s"})
final class WorkflowMoveCommand extends ApiCommand {
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
    private When when = new When();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = when.into(Json.object(), environment());
        String number = call == null ? onlyWait(api) : Integer.toString(call);
        api.post(run.path("waits", number, "move"), Json.put(body, "reason", reason));
        screen.line("Moved wait " + number + " of " + Text.clean(run.id()) + ".");
        return ExitCode.OK;
    }

    private String onlyWait(ApiClient api) {
        JsonNode description = api.get(run.path());
        List<String> movable = Json.stream(description.path("waits"))
                .filter(wait -> wait.path("canMove").asBoolean(false))
                .map(wait -> Json.text(wait, "call"))
                .toList();
        if (movable.size() != 1) {
            throw new CommandFailed(
                    movable.isEmpty() ? ExitCode.CONFLICT : ExitCode.USAGE,
                    "Expected one wait of " + run.id() + " that can be moved, but there are "
                            + (movable.isEmpty() ? "none that a live node knows of" : "several: " + movable)
                            + ". " + (movable.isEmpty() ? "See 'workflow show'." : "Choose with --call."));
        }
        return movable.get(0);
    }
}
