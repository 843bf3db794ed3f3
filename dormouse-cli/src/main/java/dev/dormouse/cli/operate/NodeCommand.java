package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.GroupCommand;
import dev.dormouse.cli.base.PagedList;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TextTable;
import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "node", description = "List the processes that execute workflows.")
public final class NodeCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(ListAll.class);
    }

    /** Returns alive, silent or gone. A silent node has not reported for a while and does not count as dead yet. */
    static String state(JsonNode node) {
        boolean isSilent = node.path("silent").asBoolean(false);
        return !node.path("alive").asBoolean(false) ? "gone" : isSilent ? "silent" : "alive";
    }

    @Command(
            name = "list",
            aliases = "ls",
            description = {
                "Lists live nodes, and nodes lost within the last hour.",
                "A node that has not reported for 15 s is silent, and after 30 s it is gone (with the default sweepInterval)."
            })
    static final class ListAll extends ApiCommand {
        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            PagedList.printAll(
                    api,
                    screen,
                    new PagedList.Listing(
                            ApiPath.of("nodes"),
                            "id",
                            new TextTable("ID", "NAME", "STATE", "STARTED", "SEEN", "EXECUTING", "PARKED", "RECOVERED")
                                    .paint("STATE", screen.style()::status),
                            (table, node) -> table.row(
                                    ApiJson.text(node, "id"),
                                    ApiJson.text(node, "name"),
                                    state(node),
                                    screen.cell(node, "startedAt"),
                                    screen.cell(node, "seenAt"),
                                    ApiJson.text(node, "executing"),
                                    ApiJson.text(node, "parked"),
                                    ApiJson.text(node, "recovered")),
                            "No nodes. Nothing is executed until a program with your workflows opens this store."));
            return ExitCode.OK;
        }
    }
}
