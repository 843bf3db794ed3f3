package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.PagedList;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TextTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "list",
        aliases = "ls",
        description = "Lists runs, newest first; with a prefix, ordered by id.",
        footer = {"", "Example: dormouse workflow list order- --status waiting,stuck"})
final class WorkflowListCommand extends ApiCommand {
    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Only ids that start with this.")
    private @Nullable String prefix;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only runs of this type.")
    private @Nullable String type;

    @Option(names = "--status", paramLabel = "STATUS", split = ",", description = "Only runs with these statuses.")
    private List<String> status = List.of();

    @Mixin
    private final PagedList pages = new PagedList();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ApiPath path = ApiPath.of("workflows")
                .with("prefix", prefix)
                .with("type", type)
                .with("status", String.join(",", status).toUpperCase(Locale.ROOT));
        pages.print(
                api,
                screen,
                new PagedList.Listing(
                        path,
                        "workflowId",
                        new TextTable("ID", "TYPE", "STATUS", "STARTED", "ENDED", "NEXT")
                                .paint("STATUS", screen.style()::status),
                        (table, run) -> row(table, run, screen),
                        "No runs. Start one with 'dormouse workflow start TYPE'."));
        return ExitCode.OK;
    }

    private static void row(TextTable table, JsonNode run, Screen screen) {
        table.row(
                ApiJson.text(run, "workflowId"),
                ApiJson.text(run, "type"),
                ApiJson.text(run, "status"),
                screen.cell(run, "startedAt"),
                screen.cell(run, "closedAt"),
                RunPrinter.next(screen, run));
    }
}
