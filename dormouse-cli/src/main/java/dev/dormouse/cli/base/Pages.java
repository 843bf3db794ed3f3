package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** How much of a list is wanted, and printing it. */
public final class Pages {
    private static final int PAGE = 1_000;

    @Option(names = "--limit", paramLabel = "N", description = "At most this many; 50 if not given.")
    private int limit = 50;

    @Option(names = "--all", description = "All there are, however many.")
    private boolean all;

    /** What there is, page by page until there is enough of it. */
    private record Found(
            ArrayNode items, boolean hasMore, @Nullable String searchedBackTo) {}

    /** The same for a list that is short enough to be printed whole. */
    public static void printWhole(
            ApiClient api,
            ApiPath path,
            Screen screen,
            String idField,
            Supplier<Table> table,
            BiConsumer<Table, JsonNode> row,
            String ifEmpty) {
        ArrayNode items = Json.array();
        String next = "";
        do {
            JsonNode page = api.get(path.with("page", next));
            Json.items(page).forEach(items::add);
            next = next(page, next);
        } while (!next.isEmpty());
        print(screen, new Found(items, false, null), idField, table.get(), row, ifEmpty);
    }

    /**
     * Prints a list as it was asked for.
     *
     * @param idField which field of an item is its id
     * @param table an empty one
     * @param row adds an item to it
     * @param ifEmpty what to say where there is nothing
     */
    public void print(
            ApiClient api,
            ApiPath path,
            Screen screen,
            String idField,
            Supplier<Table> table,
            BiConsumer<Table, JsonNode> row,
            String ifEmpty) {
        Found found = find(api, path);
        print(screen, found, idField, table.get(), row, ifEmpty);
        if (found.hasMore() && screen.format() != Format.JSON) {
            screen.remark("There are more: add --limit " + 10 * limit + " or --all.");
        }
    }

    /** Where the list goes on; a server that sends us in circles is not followed. */
    private static String next(JsonNode page, String last) {
        String next = Json.text(page, "next");
        if (!next.isEmpty() && next.equals(last)) {
            throw new CommandFailed(
                    ExitCode.FAILED,
                    "Expected a list that goes on, but its pages repeat. Check that the server is Dormouse's.");
        }
        return next;
    }

    private static void print(
            Screen screen, Found found, String idField, Table table, BiConsumer<Table, JsonNode> row, String ifEmpty) {
        switch (screen.format()) {
            case JSON -> screen.json(found.items());
            case IDS -> Json.stream(found.items()).forEach(item -> screen.line(Json.text(item, idField)));
            case TABLE -> printTable(screen, found, table, row, ifEmpty);
        }
    }

    private static void printTable(
            Screen screen, Found found, Table table, BiConsumer<Table, JsonNode> row, String ifEmpty) {
        Json.stream(found.items()).forEach(item -> row.accept(table, item));
        if (table.isEmpty()) {
            screen.line(ifEmpty);
        } else {
            screen.table(table);
        }
        Json.instant(found.searchedBackTo())
                .ifPresent(back -> screen.remark(
                        "Only what started since " + screen.times().absolute(back) + " was looked at."));
    }

    private Found find(ApiClient api, ApiPath path) {
        if (limit < 1) {
            throw CommandFailed.usage("Expected --limit to be 1 or more, but got " + limit + ".");
        }
        ArrayNode items = Json.array();
        String next = "";
        String searchedBackTo = "";
        do {
            int wanted = all ? PAGE : Math.min(PAGE, limit - items.size());
            JsonNode page = api.get(path.with("limit", wanted).with("page", next));
            Json.items(page).forEach(items::add);
            next = next(page, next);
            searchedBackTo = Json.text(page, "searchedBackTo");
        } while (!next.isEmpty() && (all || items.size() < limit));
        return new Found(items, !next.isEmpty(), next.isEmpty() ? searchedBackTo : null);
    }
}
