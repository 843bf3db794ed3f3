package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Each;
import dev.dormouse.cli.base.Ids;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "cancel", description = "Cancels timers: they never fire.")
final class CancelCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of timers; - for ids on standard input.")
    private List<String> ids = List.of();

    @Mixin
    private final Kind kind = new Kind();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return Each.of(
                Ids.of(ids, environment()),
                screen,
                id -> TimerPrinter.print(screen, api.post(kind.path(id, "cancel"), Json.object()), "Cancelled"));
    }
}
