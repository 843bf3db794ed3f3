package dev.dormouse.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The order of the navigation, from {@code docs/site.json}: groups with pages, each with its file, a label and a
 * summary. The decision records follow by number without being listed.
 *
 * @param groups the titles of the groups in order
 * @param entries the listed pages in order
 */
record SitePlan(List<String> groups, List<Entry> entries) {
    static final String FILE = "docs/site.json";
    static final String ERRORS = "Errors";
    static final String DECISIONS = "Decisions";

    /** A page of the navigation. */
    record Entry(String group, String file, String label, String summary) {}

    /** Reads the plan of the repository at {@code root}. */
    static SitePlan read(Path root) {
        JsonNode json = JsonMapper.builder().build().readTree(root.resolve(FILE).toFile());
        List<String> groups = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        for (JsonNode group : json.path("groups")) {
            String title = group.path("title").asString("");
            groups.add(title);
            for (JsonNode page : group.path("pages")) {
                entries.add(new Entry(
                        title,
                        page.path("file").asString(""),
                        page.path("label").asString(""),
                        page.path("summary").asString("")));
            }
        }
        return new SitePlan(groups, entries);
    }

    /** Returns the mistakes: pages that are missing, listed twice, not listed, or have no summary. */
    List<String> mistakes(Path root) {
        List<String> mistakes = new ArrayList<>();
        List<String> listed = entries.stream().map(Entry::file).toList();
        for (Entry entry : entries) {
            if (!Files.isRegularFile(root.resolve(entry.file()))) {
                mistakes.add(FILE + ": Expected a file '" + entry.file() + "', but there is none. Remove it from "
                        + FILE + ".");
            }
            if (entry.summary().isBlank()) {
                mistakes.add(FILE + ": Expected a summary of '" + entry.file() + "', but it is empty. Add one line.");
            }
        }
        listed.stream()
                .filter(file -> listed.indexOf(file) != listed.lastIndexOf(file))
                .distinct()
                .forEach(file -> mistakes.add(FILE + ": Expected '" + file + "' once, but it is listed twice."));
        guides(root).stream()
                .filter(file -> !listed.contains(file))
                .forEach(file -> mistakes.add(FILE + ": Expected the page '" + file
                        + "' in a group, but it is not listed. Add {\"file\": \"" + file
                        + "\", \"label\": \"…\", \"summary\": \"…\"} where it belongs in the navigation."));
        return mistakes;
    }

    /** Returns the Markdown files directly below docs. */
    private static List<String> guides(Path root) {
        return markdownIn(root, "docs");
    }

    /** Returns the decision records by number. */
    static List<String> decisions(Path root) {
        return markdownIn(root, "docs/adr").stream()
                .filter(file -> !file.endsWith("README.md"))
                .toList();
    }

    private static List<String> markdownIn(Path root, String folder) {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.map(file -> folder + "/" + file.getFileName())
                    .filter(file -> file.endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
