package dev.dormouse.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param next where the next page begins, to be handed back as it is; null when this was the last page. A page may hold
 *     fewer rows than asked for, even none, and still have a next one: a page looks at a bounded number of rows
 */
public record RunPage(List<RunRow> runs, @Nullable String next) {}
