package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Ids;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "pause", description = "Keeps schedules from starting anything until they are resumed.")
final class PauseCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of schedules; - for ids on standard input.")
    private List<String> ids = List.of();

    @Option(names = "--note", paramLabel = "TEXT", description = "Why; 'schedule show' tells it.")
    private String note = "by command line";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return Changes.each(
                api, Ids.of(ids, environment()), screen, "pause", Json.object().put("note", note), "Paused");
    }
}
