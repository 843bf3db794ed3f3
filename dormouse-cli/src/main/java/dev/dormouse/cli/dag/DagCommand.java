package dev.dormouse.cli.dag;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.GroupCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.PagedList;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.cli.term.TextTable;
import dev.dormouse.dag.Dag;
import dev.dormouse.error.DormouseException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "dag", description = "Validate, show and run workflows defined as data (DAGs).")
public final class DagCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(Validate.class, Show.class, Run.class);
    }

    @Command(name = "validate", description = "Checks DAG definitions and prints all errors. Needs no server or store.")
    static final class Validate extends BaseCommand {
        @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files with definitions; - for standard input.")
        private List<String> files = List.of();

        @Override
        protected ExitCode run(Screen screen) {
            boolean isGood = true;
            for (String file : files) {
                isGood &= validate(file, screen);
            }
            return isGood ? ExitCode.OK : ExitCode.FAILED;
        }

        private boolean validate(String file, Screen screen) {
            String json = JsonInput.read(file, environment());
            try {
                Dag dag = Dag.fromJson(json);
                screen.line(screen.style().green("ok") + "  " + Text.clean(file + ": " + dag));
                return true;
            } catch (DormouseException mistake) {
                screen.remark(
                        screen.style().red("bad") + " " + Text.clean(file + ": ") + mistakes(mistake.getMessage()));
                return false;
            }
        }

        /** Returns the errors, one per line. */
        private static String mistakes(String message) {
            return String.join("\n", message.lines().map(Text::clean).toList());
        }
    }

    @Command(name = "show", description = "Shows a DAG and its steps; without a name, lists all DAGs.")
    static final class Show extends ApiCommand {
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
            PagedList.printAll(
                    api,
                    screen,
                    new PagedList.Listing(
                            ApiPath.of("dags"),
                            "name",
                            new TextTable("NAME", "VERSION", "STEPS"),
                            (table, dag) -> table.row(
                                    ApiJson.text(dag, "name"),
                                    ApiJson.text(dag, "version"),
                                    ApiJson.text(dag, "steps")),
                            "No DAGs. Store and run one with 'dormouse dag run FILE'."));
        }

        private void show(Screen screen, JsonNode dag) {
            if (mermaid) {
                screen.raw(Dag.fromJson(dag.toString()).toMermaid());
            } else {
                screen.result(dag, ApiJson.text(dag, "name"), () -> print(screen, dag));
            }
        }

        private static void print(Screen screen, JsonNode dag) {
            screen.line(screen.style().bold(Text.clean(ApiJson.text(dag, "name"))) + "  version "
                    + ApiJson.text(dag, "version"));
            TextTable table = new TextTable("STEP", "KIND", "DOES", "AFTER");
            ApiJson.stream(dag.path("steps"))
                    .forEach(step ->
                            table.row(ApiJson.text(step, "id"), kind(step), does(step), names(step.path("after"))));
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
                    ? ApiJson.stream(after)
                            .map(one -> one.isObject() ? ApiJson.text(one, "step") : one.asString(""))
                            .collect(Collectors.joining(", "))
                    : after.asString("");
        }
    }

    @Command(
            name = "run",
            description = "Starts the latest version of a stored DAG, or stores a DAG from a file and starts it.",
            footer = {"", "Example: dormouse dag run order.json '{\"id\": \"o-17\"}'"})
    static final class Run extends ApiCommand {
        @Parameters(index = "0", paramLabel = "NAME|FILE", description = "A stored DAG, or a file ending in .json.")
        private String dag = "";

        @Parameters(index = "1", arity = "0..1", paramLabel = "INPUT", description = "The input: JSON, @FILE or @-.")
        private @Nullable String input;

        @Option(names = "--id", paramLabel = "ID", description = "The workflow id. Default: a new id.")
        private @Nullable String id;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = ApiJson.object();
            JsonInput.put(body, "input", input, environment());
            String name = dag.endsWith(".json") || Files.isRegularFile(Path.of(dag)) ? stored(api) : dag;
            print(screen, api.post(ApiPath.of("dags", name, "start"), ApiJson.put(body, "id", id)));
            return ExitCode.OK;
        }

        private String stored(ApiClient api) {
            String json = JsonInput.read(dag, environment());
            Dag definition = Dag.fromJson(json);
            api.call("PUT", ApiPath.of("dags", definition.name()), ApiJson.parse(json, "definition"))
                    .accepted();
            return definition.name();
        }

        private static void print(Screen screen, JsonNode run) {
            String workflowId = ApiJson.text(run, "workflowId");
            screen.result(
                    run,
                    workflowId,
                    () -> screen.line("Started " + screen.style().bold(Text.clean(workflowId)) + ": "
                            + screen.style().status(ApiJson.text(run, "status")) + ", run "
                            + ApiJson.text(run, "runId")));
        }
    }
}
