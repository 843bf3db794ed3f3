package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Which run of which workflow id. */
final class RunPicker {
    @Parameters(index = "0", paramLabel = "ID", description = "The workflow id.")
    private String id = "";

    @Option(names = "--run", paramLabel = "UUID", description = "An earlier run of it; the latest if not given.")
    private @Nullable String run;

    static RunPicker of(JsonNode run) {
        RunPicker picker = new RunPicker();
        picker.id = Json.text(run, "workflowId");
        picker.run = Json.text(run, "runId");
        return picker;
    }

    String id() {
        return id;
    }

    ApiPath path(String... more) {
        return of(id, more).with("run", run);
    }

    static ApiPath of(String id, String... more) {
        return ApiPath.of(
                Stream.concat(Stream.of("workflows", id), Stream.of(more)).toArray(String[]::new));
    }
}
