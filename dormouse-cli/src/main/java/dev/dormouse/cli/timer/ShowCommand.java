package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Facts;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Tells about a timer.")
final class ShowCommand extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The timer's id.")
    private String id = "";

    @Mixin
    private final Kind kind = new Kind();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode timer = api.get(kind.path(id));
        TimerPrinter.print(screen, timer, "Timer");
        if (screen.format() == Format.TABLE && kind.isInSql()) {
            new Facts()
                    .add("role", Json.text(timer, "scheduledBy"))
                    .add("action", Json.text(timer, "action"))
                    .add("attempts", Json.text(timer, "attempts"))
                    .add("error", Json.text(timer, "error"))
                    .add("SQL state", Json.text(timer, "sqlState"))
                    .add("set", time(timer, "createdAt", screen))
                    .add("fired", time(timer, "firedAt", screen))
                    .print(screen);
        } else if (screen.format() == Format.TABLE) {
            new Facts()
                    .add("attempts", Json.text(timer, "attempts"))
                    .add("last failure", Json.text(timer, "lastFailure"))
                    .add("key", Json.text(timer, "key"))
                    .add("set", time(timer, "scheduledAt", screen))
                    .add("ended", time(timer, "endedAt", screen))
                    .print(screen);
        }
        return ExitCode.OK;
    }

    private static String time(JsonNode timer, String field, Screen screen) {
        return Json.instant(timer, field).map(screen.times()::both).orElse("");
    }
}
