package dev.dormouse.cli.workflow;

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

@Command(name = "cancel", description = "Asks runs to end: their code can clean up.")
final class CancelCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Workflow ids; - for ids on standard input.")
    private List<String> ids = List.of();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; the history keeps it.")
    private String reason = "by command line";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return new Batch("cancel", "Asked to end", Json.object().put("reason", reason))
                .run(api, Ids.of(ids, environment()), screen);
    }
}
