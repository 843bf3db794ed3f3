package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.Answer;
import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.When;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "add",
        description = "Sets a timer: a handler is called then, once.",
        footer = {"", "Example: dormouse timer add expire-session '{\"id\": 7}' --in 30m"})
final class AddCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "HANDLER", description = "The name of the handler.")
    private String handler = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "PAYLOAD", description = "What it gets: JSON, @FILE or @-.")
    private @Nullable String payload;

    @ArgGroup(multiplicity = "1")
    private When when = new When();

    @Option(names = "--id", paramLabel = "ID", description = "The timer's id; a new one is made if not given.")
    private @Nullable String id;

    @Option(names = "--key", paramLabel = "KEY", description = "Of timers with the same key, one is pending at a time.")
    private @Nullable String key;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = when.into(Json.object().put("handler", handler), environment());
        if (payload != null) {
            body.set("payload", JsonInput.one(payload, "payload", environment()));
        }
        if (id != null) {
            body.put("id", id);
        }
        if (key != null) {
            body.put("key", key);
        }
        Answer answer = api.call("POST", ApiPath.of("timers"), body);
        TimerPrinter.print(screen, answer.accepted(), answer.status() == 201 ? "Set" : "There was already");
        return ExitCode.OK;
    }
}
