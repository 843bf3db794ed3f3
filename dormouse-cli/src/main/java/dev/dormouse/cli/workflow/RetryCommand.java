package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Ids;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "retry",
        description =
                "Lets runs that failed or are stuck go on where they stopped: what they had done is not done again.",
        footer = {"", "Example: dormouse workflow list --status failed -o ids | dormouse workflow retry -"})
final class RetryCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Workflow ids; - for ids on standard input.")
    private List<String> ids = List.of();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return new Batch("retry", "Retried", Json.object()).run(api, Ids.of(ids, environment()), screen);
    }
}
