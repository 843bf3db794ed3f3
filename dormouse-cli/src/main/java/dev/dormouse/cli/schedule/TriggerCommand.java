package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Ids;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "trigger", description = "Starts what schedules start, now and beside their times.")
final class TriggerCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of schedules; - for ids on standard input.")
    private List<String> ids = List.of();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return Changes.each(api, Ids.of(ids, environment()), screen, "trigger", Json.object(), "Triggered");
    }
}
