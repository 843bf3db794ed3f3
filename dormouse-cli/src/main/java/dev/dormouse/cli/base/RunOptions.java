package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The workflow id and, with {@code --run}, the run of it that a command is about. */
public final class RunOptions {
    @Parameters(index = "0", paramLabel = "ID", description = "The workflow id.")
    private String id = "";

    @Option(names = "--run", paramLabel = "UUID", description = "An earlier run of the workflow. Default: the latest.")
    private @Nullable String run;

    /** Returns the options for a run in a response of the API. */
    public static RunOptions of(JsonNode run) {
        RunOptions options = new RunOptions();
        options.id = ApiJson.text(run, "workflowId");
        options.run = ApiJson.text(run, "runId");
        return options;
    }

    public String id() {
        return id;
    }

    /** Returns the path of the run, followed by {@code more} segments. */
    public ApiPath path(String... more) {
        return pathOf(id, more).with("run", run);
    }

    /** Returns the path of the latest run of a workflow id, followed by {@code more} segments. */
    public static ApiPath pathOf(String id, String... more) {
        return ApiPath.of(
                Stream.concat(Stream.of("workflows", id), Stream.of(more)).toArray(String[]::new));
    }
}
