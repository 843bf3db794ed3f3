package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Facts;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
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
        screen.result(run, Json.text(run, "workflowId"), () -> print(screen, run));
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

    private static Facts facts(JsonNode run, Screen screen) {
        return new Facts()
                .add("run", Json.text(run, "runId"))
                .add("started", screen.time(run, "startedAt"))
                .add("node", Json.text(run, "node"))
                .add("events", Json.text(run, "events"))
                .add("takeovers", Json.text(run, "takeovers").replaceFirst("^0$", ""))
                .add("parent", Json.text(run.path("parent"), "workflowId"))
                .add("memo", pairs(run.path("memo")))
                .add("input", values(run.path("input")))
                .add("result", Json.value(run.path("result")))
                .add("failure", Json.text(run.path("failure"), "type"))
                .add("signals", names(run, "signals"))
                .add("queries", names(run, "queries"))
                .add("updates", names(run, "updates"));
    }

    private static String names(JsonNode run, String field) {
        return Json.stream(run.path(field)).map(JsonNode::asString).collect(Collectors.joining(", "));
    }

    private static String pairs(JsonNode memo) {
        return memo.propertyStream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().asString(""))
                .collect(Collectors.joining(", "));
    }

    private static String values(JsonNode input) {
        return Json.stream(input).map(Json::value).collect(Collectors.joining(", "));
    }

    private static Table waits(JsonNode run, Screen screen) {
        Table table = new Table("CALL", "FOR", "NAME", "SINCE", "UNTIL", "MOVABLE", "AT");
        Json.stream(run.path("waits"))
                .forEach(wait -> table.row(
                        Json.text(wait, "call"),
                        Json.text(wait, "kind"),
                        Json.text(wait, "name"),
                        screen.cell(wait, "since"),
                        screen.cell(wait, "until"),
                        wait.path("canMove").asBoolean(false) ? "yes" : "no",
                        Json.text(wait, "at")));
        return table;
    }

    private static Table steps(JsonNode run, Screen screen) {
        Table table = new Table("STEP", "ATTEMPT", "NEXT ATTEMPT", "PROGRESS", "LAST FAILURE");
        Json.stream(run.path("steps"))
                .forEach(step -> table.row(
                        Json.text(step, "name"),
                        Json.text(step, "attempt"),
                        screen.cell(step, "nextAttemptAt"),
                        Json.text(step, "progress"),
                        Json.text(step, "lastFailure")));
        return table;
    }

    private static Table children(JsonNode run, Screen screen) {
        Table table = new Table("ID", "TYPE", "STATUS").paint("STATUS", screen.style()::status);
        Json.stream(run.path("children"))
                .forEach(child -> table.row(
                        Json.text(child, "workflowId"), Json.text(child, "type"), Json.text(child, "status")));
        return table;
    }

    private static Table runs(JsonNode run, Screen screen) {
        Table table = new Table("RUN", "STATUS", "STARTED").paint("STATUS", screen.style()::status);
        if (run.path("runs").size() > 1) {
            Json.stream(run.path("runs"))
                    .forEach(one -> table.row(
                            Json.text(one, "runId"), Json.text(one, "status"), screen.cell(one, "startedAt")));
        }
        return table;
    }
}
