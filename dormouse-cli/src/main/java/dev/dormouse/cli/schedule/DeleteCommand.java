package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Each;
import dev.dormouse.cli.base.Ids;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Deletes schedules; what they have started goes on.")
final class DeleteCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of schedules; - for ids on standard input.")
    private List<String> ids = List.of();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return Each.of(
                Ids.of(ids, environment()),
                screen,
                id -> Changes.tell(
                        screen,
                        id,
                        api.call("DELETE", ApiPath.of("schedules", id), null).accepted(),
                        "Deleted"));
    }
}
