package dev.dormouse.store.page;

import dev.dormouse.store.run.RunRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of runs.
 *
 * @param next the start of the next page, to be passed back unchanged; null for the last page. A page scans a bounded
 *     number of rows: it may have fewer runs than requested, even none, and still have a next page
 */
public record RunPage(List<RunRow> runs, @Nullable String next) {}
