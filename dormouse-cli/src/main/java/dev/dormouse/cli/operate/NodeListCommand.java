package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Pages;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "list", aliases = "ls", description = "Lists nodes: those alive, and those gone within the last hour.")
final class NodeListCommand extends ApiCommand {
    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        Pages.printWhole(
                api,
                ApiPath.of("nodes"),
                screen,
                "id",
                () -> new Table("ID", "NAME", "STATE", "STARTED", "SEEN", "EXECUTING", "PARKED", "RECOVERED")
                        .paint("STATE", screen.style()::status),
                (table, node) -> table.row(
                        Json.text(node, "id"),
                        Json.text(node, "name"),
                        node.path("alive").asBoolean(false) ? "alive" : "gone",
                        time(node, "startedAt", screen),
                        time(node, "seenAt", screen),
                        Json.text(node, "executing"),
                        Json.text(node, "parked"),
                        Json.text(node, "recovered")),
                "No nodes. Nothing is executed until a program with your workflows opens this store.");
        return ExitCode.OK;
    }

    private static String time(JsonNode node, String field, Screen screen) {
        return Json.instant(node, field).map(screen.times()::cell).orElse("");
    }
}
