package dev.dormouse.cli.history;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

@Command(name = "show", description = "Lists the events of a run.")
final class HistoryShowCommand extends ApiCommand {
    private static final int PAGE_SIZE = 1_000;

    @Parameters(paramLabel = "ID", description = "The workflow id.")
    private String id = "";

    @Option(names = "--run", paramLabel = "UUID", description = "An earlier run of the workflow. Default: the latest.")
    private @Nullable String run;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ArrayNode events = events(api);
        switch (screen.format()) {
            case JSON -> screen.json(events);
            case IDS -> Json.stream(events).forEach(event -> screen.line(Json.text(event, "seq")));
            case TABLE -> print(screen, events);
        }
        return ExitCode.OK;
    }

    private ArrayNode events(ApiClient api) {
        ArrayNode events = Json.array();
        String after = "";
        int size;
        do {
            size = events.size();
            JsonNode page = api.get(ApiPath.of("workflows", id, "history")
                    .with("run", run)
                    .with("after", after)
                    .with("limit", PAGE_SIZE));
            Json.items(page).forEach(events::add);
            after = Json.text(events.path(events.size() - 1), "seq");
        } while (events.size() == size + PAGE_SIZE);
        return events;
    }

    private static void print(Screen screen, ArrayNode events) {
        Table table = new Table("SEQ", "AT", "EVENT", "");
        Json.stream(events)
                .forEach(event -> table.row(
                        Json.text(event, "seq"),
                        screen.cell(event, "at"),
                        Json.text(event, "kind"),
                        Json.text(event, "summary")));
        screen.table(table);
    }
}
