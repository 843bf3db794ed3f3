package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.TimeArguments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "create",
        description = "Creates a schedule.",
        footer = {
            "",
            "Example: dormouse schedule create nightly --cron '0 2 * * *' --zone Europe/Berlin --workflow report '\"all\"'"
        })
final class ScheduleCreateCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The schedule id.")
    private String id = "";

    @Parameters(
            index = "1..*",
            paramLabel = "INPUT",
            description = "The input of the workflow, or the payload of the timer: JSON, @FILE or @-.")
    private List<String> input = List.of();

    @Mixin
    private final TimetableOptions timetable = new TimetableOptions();

    @Option(names = "--workflow", paramLabel = "TYPE", description = "The workflow type to start.")
    private @Nullable String workflow;

    @Option(names = "--timer", paramLabel = "HANDLER", description = "The timer handler to call instead of a workflow.")
    private @Nullable String timer;

    @Option(names = "--overlap", paramLabel = "POLICY", description = "What to do if the previous run is still open.")
    private @Nullable String overlap;

    @Option(names = "--catch-up", paramLabel = "POLICY", description = "What to do about missed start times.")
    private @Nullable String catchUp;

    @Option(names = "--jitter", paramLabel = "DURATION", description = "Delay each start by a random time up to this.")
    private @Nullable String jitter;

    @Option(names = "--id-prefix", paramLabel = "PREFIX", description = "The prefix of the ids of started workflows.")
    private @Nullable String idPrefix;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ScheduleViewCommands.print(screen, api.post(ApiPath.of("schedules"), body()), "Created");
        return ExitCode.OK;
    }

    private ObjectNode body() {
        ObjectNode body = ApiJson.object().put("id", id);
        timetable.into(body, environment());
        target(body);
        ApiJson.put(body, "overlap", ScheduleChangeCommands.policy(overlap));
        ApiJson.put(body, "catchUp", ScheduleChangeCommands.policy(catchUp));
        ApiJson.put(body, "idPrefix", idPrefix);
        return ApiJson.put(body, "jitter", TimeArguments.iso(jitter, "--jitter"));
    }

    private void target(ObjectNode body) {
        if ((workflow == null) == (timer == null)) {
            throw CommandFailed.usage(
                    "Expected --workflow or --timer, but got " + (workflow == null ? "neither" : "both") + ".");
        }
        ApiJson.put(body, "workflow", workflow);
        ApiJson.put(body, "timer", timer);
        if (timer != null && input.size() > 1) {
            throw CommandFailed.usage("Expected one payload for a timer, but got " + input.size() + ".");
        }
        if (workflow != null && !input.isEmpty()) {
            body.set("input", JsonInput.all(input, "input", environment()));
        } else if (timer != null && !input.isEmpty()) {
            body.set("payload", JsonInput.one(input.get(0), "payload", environment()));
        }
    }
}
