package dev.dormouse.cli.dag;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.dag.Dag;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "run",
        description = "Starts the latest version of a stored DAG, or stores a DAG from a file and starts it.",
        footer = {"", "Example: dormouse dag run order.json '{\"id\": \"o-17\"}'"})
final class DagRunCommand extends ApiCommand {
    @Parameters(
            index = "0",
            paramLabel = "NAME|FILE",
            description = "The name of a DAG, or a file whose name ends with .json.")
    private String dag = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "INPUT", description = "The input: JSON, @FILE or @-.")
    private @Nullable String input;

    @Option(names = "--id", paramLabel = "ID", description = "The workflow id. Default: a new id.")
    private @Nullable String id;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = Json.object();
        JsonInput.put(body, "input", input, environment());
        String name = dag.endsWith(".json") || Files.isRegularFile(Path.of(dag)) ? stored(api) : dag;
        print(screen, api.post(ApiPath.of("dags", name, "start"), Json.put(body, "id", id)));
        return ExitCode.OK;
    }

    private String stored(ApiClient api) {
        String json = JsonInput.read(dag, environment());
        Dag definition = Dag.fromJson(json);
        api.call("PUT", ApiPath.of("dags", definition.name()), Json.parse(json, "definition"))
                .accepted();
        return definition.name();
    }

    private static void print(Screen screen, JsonNode run) {
        String workflowId = Json.text(run, "workflowId");
        screen.result(
                run,
                workflowId,
                () -> screen.line("Started " + screen.style().bold(Text.clean(workflowId)) + ": "
                        + screen.style().status(Json.text(run, "status")) + ", run " + Json.text(run, "runId")));
    }
}
