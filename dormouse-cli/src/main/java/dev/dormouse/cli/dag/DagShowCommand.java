package dev.dormouse.cli.dag;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Pages;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import dev.dormouse.cli.term.Text;
import dev.dormouse.dag.Dag;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Shows a DAG and its steps; without a name, lists all DAGs.")
final class DagShowCommand extends ApiCommand {
    private static final List<String> KINDS =
            List.of("task", "sleep", "waitForEvent", "approval", "map", "subWorkflow");

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The name of the DAG.")
    private @Nullable String name;

    // Not --version, which every command has.
    @Option(names = "--dag-version", paramLabel = "N", description = "An earlier version. Default: the latest.")
    private @Nullable Integer version;

    @Option(names = "--mermaid", description = "Print a Mermaid flowchart.")
    private boolean mermaid;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        if (name == null) {
            list(api, screen);
        } else {
            show(screen, api.get(ApiPath.of("dags", name).with("version", version)));
        }
        return ExitCode.OK;
    }

    private void list(ApiClient api, Screen screen) {
        if (mermaid || version != null) {
            throw CommandFailed.usage("Expected the name of a DAG, but got none. 'dag show' alone lists them.");
        }
        Pages.printAll(
                api,
                ApiPath.of("dags"),
                screen,
                "name",
                new Table("NAME", "VERSION", "STEPS"),
                (table, dag) -> table.row(Json.text(dag, "name"), Json.text(dag, "version"), Json.text(dag, "steps")),
                "No DAGs. Store and run one with 'dormouse dag run FILE'.");
    }

    private void show(Screen screen, JsonNode dag) {
        if (mermaid) {
            screen.raw(Dag.fromJson(dag.toString()).toMermaid());
        } else {
            screen.result(dag, Json.text(dag, "name"), () -> print(screen, dag));
        }
    }

    private static void print(Screen screen, JsonNode dag) {
        screen.line(screen.style().bold(Text.clean(Json.text(dag, "name"))) + "  version " + Json.text(dag, "version"));
        Table table = new Table("STEP", "KIND", "DOES", "AFTER");
        Json.stream(dag.path("steps"))
                .forEach(step -> table.row(Json.text(step, "id"), kind(step), does(step), names(step.path("after"))));
        screen.section("Steps", table);
    }

    private static String kind(JsonNode step) {
        return KINDS.stream().filter(step::has).findFirst().orElse("");
    }

    private static String does(JsonNode step) {
        JsonNode action = step.path(kind(step));
        return action.isObject() ? action.toString() : action.asString("");
    }

    private static String names(JsonNode after) {
        return after.isArray()
                ? Json.stream(after)
                        .map(one -> one.isObject() ? Json.text(one, "step") : one.asString(""))
                        .collect(Collectors.joining(", "))
                : after.asString("");
    }
}
