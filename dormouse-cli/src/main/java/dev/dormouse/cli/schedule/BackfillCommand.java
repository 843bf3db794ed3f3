package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "backfill", description = "Starts what a schedule would have started in a time that has passed.")
final class BackfillCommand extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    @Option(names = "--from", required = true, paramLabel = "INSTANT", description = "The beginning of that time.")
    private String from = "";

    @Option(names = "--to", required = true, paramLabel = "INSTANT", description = "Its end.")
    private String to = "";

    @Option(names = "--overlap", paramLabel = "POLICY", description = "Another policy than the schedule's.")
    private @Nullable String overlap;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = Json.object()
                .put(
                        "from",
                        Moments.instant(from, "--from", environment().zone()).toString())
                .put("to", Moments.instant(to, "--to", environment().zone()).toString());
        if (overlap != null) {
            body.put("overlap", overlap.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
        Changes.tell(screen, id, api.post(ApiPath.of("schedules", id, "backfill"), body), "Backfilled");
        return ExitCode.OK;
    }
}
