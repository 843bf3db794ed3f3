package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.Environment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** What a start needs to know. */
final class StartOptions {
    @Parameters(index = "0", paramLabel = "TYPE", description = "The workflow type.")
    private String type = "";

    @Parameters(
            index = "1..*",
            paramLabel = "INPUT",
            description =
                    "Its input, one JSON value for each argument; @FILE reads one from a file, @- from standard input.")
    private List<String> input = List.of();

    @Option(names = "--id", paramLabel = "ID", description = "The workflow id; a new one is made if not given.")
    private @Nullable String id;

    @Option(names = "--at", paramLabel = "INSTANT", description = "Begin then, not now.")
    private @Nullable String at;

    @Option(names = "--in", paramLabel = "DURATION", description = "Begin after this time: 90s, 1h30m, 2d.")
    private @Nullable String in;

    @Option(names = "--execution-timeout", paramLabel = "DURATION", description = "How long it may take altogether.")
    private @Nullable String executionTimeout;

    @Option(names = "--memo", paramLabel = "KEY=TEXT", description = "A remark that is shown with it; may be repeated.")
    private Map<String, String> memo = Map.of();

    @Option(names = "--queue", paramLabel = "NAME", description = "The queue that it waits in.")
    private @Nullable String queue;

    @Option(
            names = "--id-reuse",
            paramLabel = "POLICY",
            description =
                    "What to do if the id has a run that is over: START_NEW, START_UNLESS_COMPLETED, REJECT; otherwise "
                            + "that run is returned.")
    private @Nullable String idReuse;

    ObjectNode body(Environment environment) {
        ObjectNode body = Json.object().put("type", type);
        if (!input.isEmpty()) {
            body.set("input", JsonInput.all(input, "input", environment));
        }
        put(body, "id", id);
        put(body, "queue", queue);
        put(body, "idReuse", idReuse);
        if (at != null) {
            body.put("startAt", Moments.instant(at, "--at", environment.zone()).toString());
        }
        if (in != null) {
            body.put("startDelay", Moments.duration(in, "--in").toString());
        }
        if (executionTimeout != null) {
            body.put(
                    "executionTimeout",
                    Moments.duration(executionTimeout, "--execution-timeout").toString());
        }
        if (!memo.isEmpty()) {
            ObjectNode notes = body.putObject("memo");
            memo.forEach(notes::put);
        }
        return body;
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
