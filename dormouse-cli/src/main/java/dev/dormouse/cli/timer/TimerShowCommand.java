package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Facts;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Shows a timer.")
final class TimerShowCommand extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The timer id.")
    private String id = "";

    @Mixin
    private final SqlOption sql = new SqlOption();

    /** The option {@code --sql}, which selects the timers that were set in SQL. */
    static final class SqlOption {
        @Option(
                names = "--sql",
                description = "Timers that were set in SQL. Their ids are numbers, or SHARD_KEY:NUMBER.")
        private boolean inSql;

        ApiPath path(String... segments) {
            return ApiPath.of(Stream.concat(Stream.of(inSql ? "sql-timers" : "timers"), Stream.of(segments))
                    .toArray(String[]::new));
        }
    }

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode timer = api.get(sql.path(id));
        print(screen, timer, "Timer");
        if (screen.format() == Screen.Format.TABLE) {
            (sql.inSql ? sqlFacts(timer, screen) : facts(timer, screen)).print(screen);
        }
        return ExitCode.OK;
    }

    private static Facts sqlFacts(JsonNode timer, Screen screen) {
        return new Facts()
                .add("role", Json.text(timer, "scheduledBy"))
                .add("action", Json.text(timer, "action"))
                .add("attempts", Json.text(timer, "attempts"))
                .add("error", Json.text(timer, "error"))
                .add("SQL state", Json.text(timer, "sqlState"))
                .add("set", screen.time(timer, "createdAt"))
                .add("fired", screen.time(timer, "firedAt"));
    }

    private static Facts facts(JsonNode timer, Screen screen) {
        return new Facts()
                .add("attempts", Json.text(timer, "attempts"))
                .add("last failure", Json.text(timer, "lastFailure"))
                .add("key", Json.text(timer, "key"))
                .add("set", screen.time(timer, "scheduledAt"))
                .add("ended", screen.time(timer, "endedAt"));
    }

    /** Prints a timer in one line. A timer that was set in SQL may have no handler. */
    static void print(Screen screen, JsonNode timer, String title) {
        String id = Json.text(timer, "id");
        String handler = Text.clean(Json.text(timer, "handler"));
        screen.result(
                timer,
                id,
                () -> screen.line(title + " " + screen.style().bold(Text.clean(id)) + ": "
                        + screen.style().status(Json.text(timer, "status"))
                        + (handler.isEmpty() ? "" : ", handler " + handler)
                        + Json.instant(timer, "fireAt")
                                .map(at -> ", " + screen.times().both(at))
                                .orElse("")));
    }
}
