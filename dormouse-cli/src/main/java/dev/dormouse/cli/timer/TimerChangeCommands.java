package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.ApiResult;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.IdsCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.TimeOptions;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Commands that set and change timers: {@code timer add}, {@code move}, {@code fire} and {@code cancel}. */
final class TimerChangeCommands {
    private TimerChangeCommands() {}

    /** A command that sends one request for each timer. */
    private abstract static class ChangeCommand extends IdsCommand {
        private final String action;
        private final String done;

        @Mixin
        private final TimerViewCommands.SqlOption sql = new TimerViewCommands.SqlOption();

        ChangeCommand(String action, String done) {
            this.action = action;
            this.done = done;
        }

        @Override
        protected final ExitCode run(List<String> ids, ApiClient api, Screen screen) {
            ObjectNode body = body();
            return forEach(
                    ids, screen, id -> TimerViewCommands.print(screen, api.post(sql.path(id, action), body), done));
        }

        ObjectNode body() {
            return ApiJson.object();
        }
    }

    @Command(name = "move", description = "Changes the time at which pending timers fire.")
    static final class Move extends ChangeCommand {
        @ArgGroup(multiplicity = "1")
        private TimeOptions when = new TimeOptions();

        Move() {
            super("move", "Moved");
        }

        @Override
        ObjectNode body() {
            return when.into(ApiJson.object(), environment());
        }
    }

    @Command(name = "fire", description = "Fires pending timers now.")
    static final class Fire extends ChangeCommand {
        Fire() {
            super("fire", "Fires now:");
        }
    }

    @Command(name = "cancel", description = "Cancels timers: they never fire.")
    static final class Cancel extends ChangeCommand {
        Cancel() {
            super("cancel", "Cancelled");
        }
    }

    @Command(
            name = "add",
            description = "Sets a timer, which calls a handler once.",
            footer = {"", "Example: dormouse timer add expire-session '{\"id\": 7}' --in 30m"})
    static final class Add extends ApiCommand {
        @Parameters(index = "0", paramLabel = "HANDLER", description = "The name of the handler.")
        private String handler = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "PAYLOAD",
                description = "The value passed to the handler: JSON, @FILE or @-.")
        private @Nullable String payload;

        @ArgGroup(multiplicity = "1")
        private TimeOptions when = new TimeOptions();

        @Option(names = "--id", paramLabel = "ID", description = "The timer id. Default: a new id.")
        private @Nullable String id;

        @Option(names = "--key", paramLabel = "KEY", description = "The subject of the timer, shown by 'timer show'.")
        private @Nullable String key;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = when.into(ApiJson.object().put("handler", handler), environment());
            JsonInput.put(body, "payload", payload, environment());
            ApiJson.put(body, "id", id);
            ApiResult answer = api.call("POST", ApiPath.of("timers"), ApiJson.put(body, "key", key));
            TimerViewCommands.print(screen, answer.accepted(), answer.status() == 201 ? "Set" : "There was already");
            return ExitCode.OK;
        }
    }
}
