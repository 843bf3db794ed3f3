package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.NameValueList;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TextTable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "Shows a run: its state, waits, open steps, children, input and result.")
final class WorkflowShowCommand extends ApiCommand {
    @Mixin
    private final RunOptions options = new RunOptions();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        JsonNode run = api.get(options.path());
        screen.result(run, ApiJson.text(run, "workflowId"), () -> print(screen, run));
        return ExitCode.OK;
    }

    private static void print(Screen screen, JsonNode run) {
        RunPrinter.headline(screen, run);
        screen.line("");
        facts(run, screen).print(screen);
        screen.section("Waits", waits(run, screen));
        screen.section("Open steps", steps(run, screen));
        screen.section("Children", children(run, screen));
        screen.section("Runs of this id", runs(run, screen));
    }

    private static NameValueList facts(JsonNode run, Screen screen) {
        return new NameValueList()
                .add("run", ApiJson.text(run, "runId"))
                .add("started", screen.time(run, "startedAt"))
                .add("node", ApiJson.text(run, "node"))
                .add("events", ApiJson.text(run, "events"))
                .add("takeovers", takeovers(run))
                .add("parent", ApiJson.text(run.path("parent"), "workflowId"))
                .add("memo", pairs(run.path("memo")))
                .add("input", values(run.path("input")))
                .add("result", ApiJson.value(run.path("result")))
                .add("failure", ApiJson.text(run.path("failure"), "type"))
                .add("signals", names(run, "signals"))
                .add("queries", names(run, "queries"))
                .add("updates", names(run, "updates"));
    }

    private static String takeovers(JsonNode run) {
        String number = ApiJson.text(run, "takeovers");
        return number.isEmpty() || number.equals("0") ? "" : number + " since the last event";
    }

    private static String names(JsonNode run, String field) {
        return ApiJson.stream(run.path(field)).map(JsonNode::asString).collect(Collectors.joining(", "));
    }

    private static String pairs(JsonNode memo) {
        return memo.propertyStream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().asString(""))
                .collect(Collectors.joining(", "));
    }

    private static String values(JsonNode input) {
        return ApiJson.stream(input).map(ApiJson::value).collect(Collectors.joining(", "));
    }

    private static TextTable waits(JsonNode run, Screen screen) {
        TextTable table = new TextTable("CALL", "FOR", "NAME", "SINCE", "UNTIL", "MOVABLE", "AT");
        ApiJson.stream(run.path("waits"))
                .forEach(wait -> table.row(
                        ApiJson.text(wait, "call"),
                        ApiJson.text(wait, "kind"),
                        ApiJson.text(wait, "name"),
                        screen.cell(wait, "since"),
                        screen.cell(wait, "until"),
                        wait.path("canMove").asBoolean(false) ? "yes" : "no",
                        ApiJson.text(wait, "at")));
        return table;
    }

    private static TextTable steps(JsonNode run, Screen screen) {
        TextTable table = new TextTable("STEP", "ATTEMPT", "NEXT ATTEMPT", "PROGRESS", "LAST FAILURE");
        ApiJson.stream(run.path("steps"))
                .forEach(step -> table.row(
                        ApiJson.text(step, "name"),
                        ApiJson.text(step, "attempt"),
                        screen.cell(step, "nextAttemptAt"),
                        ApiJson.text(step, "progress"),
                        ApiJson.text(step, "lastFailure")));
        return table;
    }

    private static TextTable children(JsonNode run, Screen screen) {
        TextTable table = new TextTable("ID", "TYPE", "STATUS").paint("STATUS", screen.style()::status);
        ApiJson.stream(run.path("children"))
                .forEach(child -> table.row(
                        ApiJson.text(child, "workflowId"), ApiJson.text(child, "type"), ApiJson.text(child, "status")));
        return table;
    }

    private static TextTable runs(JsonNode run, Screen screen) {
        TextTable table = new TextTable("RUN", "STATUS", "STARTED").paint("STATUS", screen.style()::status);
        if (run.path("runs").size() > 1) {
            ApiJson.stream(run.path("runs"))
                    .forEach(one -> table.row(
                            ApiJson.text(one, "runId"), ApiJson.text(one, "status"), screen.cell(one, "startedAt")));
        }
        return table;
    }
}
