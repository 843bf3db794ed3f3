package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import java.util.Locale;
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
final class CreateCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The schedule's id.")
    private String id = "";

    @Parameters(
            index = "1..*",
            paramLabel = "INPUT",
            description = "Input of the workflow, or the payload of the timer: JSON, @FILE or @-.")
    private List<String> input = List.of();

    @Mixin
    private final Timetable timetable = new Timetable();

    @Option(names = "--workflow", paramLabel = "TYPE", description = "The workflow type to start.")
    private @Nullable String workflow;

    @Option(names = "--timer", paramLabel = "HANDLER", description = "Or the timer handler to call.")
    private @Nullable String timer;

    @Option(names = "--overlap", paramLabel = "POLICY", description = "What to do while the last one still runs.")
    private @Nullable String overlap;

    @Option(names = "--catch-up", paramLabel = "POLICY", description = "What to do about times that were missed.")
    private @Nullable String catchUp;

    @Option(names = "--jitter", paramLabel = "DURATION", description = "Start up to this much later, at random.")
    private @Nullable String jitter;

    @Option(names = "--id-prefix", paramLabel = "PREFIX", description = "What ids of started workflows begin with.")
    private @Nullable String idPrefix;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        SchedulePrinter.print(screen, api.post(ApiPath.of("schedules"), body()), "Created");
        return ExitCode.OK;
    }

    private ObjectNode body() {
        ObjectNode body = Json.object().put("id", id);
        timetable.into(body, environment());
        target(body);
        put(body, "overlap", upper(overlap));
        put(body, "catchUp", upper(catchUp));
        put(body, "idPrefix", idPrefix);
        put(
                body,
                "jitter",
                jitter == null ? null : Moments.duration(jitter, "--jitter").toString());
        return body;
    }

    private void target(ObjectNode body) {
        if ((workflow == null) == (timer == null)) {
            throw CommandFailed.usage(
                    "Expected --workflow or --timer, but got " + (workflow == null ? "neither" : "both") + ".");
        }
        put(body, "workflow", workflow);
        put(body, "timer", timer);
        if (timer != null && input.size() > 1) {
            throw CommandFailed.usage("Expected one payload for a timer, but got " + input.size() + ".");
        }
        if (workflow != null && !input.isEmpty()) {
            body.set("input", JsonInput.all(input, "input", environment()));
        } else if (timer != null && !input.isEmpty()) {
            body.set("payload", JsonInput.one(input.get(0), "payload", environment()));
        }
    }

    private static @Nullable String upper(@Nullable String policy) {
        return policy == null ? null : policy.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
