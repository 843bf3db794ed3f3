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

@Command(name = "terminate", description = "Ends runs at once, without asking their code. Prefer 'cancel'.")
final class TerminateCommand extends ApiCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Workflow ids; - for ids on standard input.")
    private List<String> ids = List.of();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; the history keeps it.")
    private String reason = "by command line";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return new Batch("terminate", "Terminated", Json.object().put("reason", reason))
                .run(api, Ids.of(ids, environment()), screen);
    }
}
