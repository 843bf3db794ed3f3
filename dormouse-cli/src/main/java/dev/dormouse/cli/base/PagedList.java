package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TextTable;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * A list of the API that is read and printed page by page, up to {@code --limit} items or with {@code --all}
 * completely.
 */
public final class PagedList {
    private static final int PAGE_SIZE = 1_000;

    @Option(names = "--limit", paramLabel = "N", description = "The maximum number of items. Default: 50.")
    private int limit = 50;

    @Option(names = "--all", description = "List all items.")
    private boolean all;

    /**
     * A list of the API and its table.
     *
     * @param idField the field of an item that is its id
     * @param table an empty table with the headings
     * @param row adds an item to the table
     * @param ifEmpty the line to print if there are no items
     */
    public record Listing(
            ApiPath path, String idField, TextTable table, BiConsumer<TextTable, JsonNode> row, String ifEmpty) {}

    /** Prints a list completely, for lists that are always short. */
    public static void printAll(ApiClient api, Screen screen, Listing list) {
        ArrayNode items = ApiJson.array();
        String next = "";
        do {
            JsonNode page = api.get(list.path().with("page", next));
            ApiJson.items(page).forEach(items::add);
            next = next(page, next);
        } while (!next.isEmpty());
        print(screen, items, list);
    }

    /** Prints a list up to the limit. */
    public void print(ApiClient api, Screen screen, Listing list) {
        if (limit < 1) {
            throw CommandFailed.usage("Expected --limit to be 1 or more, but got " + limit + ".");
        }
        ArrayNode items = ApiJson.array();
        String next = "";
        String searchedBackTo = "";
        do {
            int wanted = all ? PAGE_SIZE : Math.min(PAGE_SIZE, limit - items.size());
            JsonNode page = api.get(list.path().with("limit", wanted).with("page", next));
            ApiJson.items(page).forEach(items::add);
            next = next(page, next);
            searchedBackTo = ApiJson.text(page, "searchedBackTo");
        } while (!next.isEmpty() && (all || items.size() < limit));
        print(screen, items, list);
        if (!next.isEmpty() && screen.format() != Screen.Format.JSON) {
            screen.remark("There are more: add --limit " + 10 * limit + " or --all.");
        } else if (next.isEmpty() && screen.format() == Screen.Format.TABLE) {
            ApiJson.instant(searchedBackTo)
                    .ifPresent(back -> screen.remark(
                            "Only runs started since " + screen.times().absolute(back) + " were searched."));
        }
    }

    /** Returns the token of the next page. Throws if it is that of the last one, since the list would never end. */
    private static String next(JsonNode page, String last) {
        String next = ApiJson.text(page, "next");
        if (!next.isEmpty() && next.equals(last)) {
            throw new CommandFailed(
                    ExitCode.FAILED,
                    "Expected a list that ends, but its pages repeat. Check that the URL is that of a Dormouse server.");
        }
        return next;
    }

    private static void print(Screen screen, ArrayNode items, Listing list) {
        switch (screen.format()) {
            case JSON -> screen.json(items);
            case IDS -> ApiJson.stream(items).forEach(item -> screen.line(ApiJson.text(item, list.idField())));
            case TABLE -> {
                ApiJson.stream(items).forEach(item -> list.row().accept(list.table(), item));
                if (list.table().isEmpty()) {
                    screen.line(list.ifEmpty());
                } else {
                    screen.table(list.table());
                }
            }
        }
    }
}
