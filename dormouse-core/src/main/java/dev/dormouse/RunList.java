package dev.dormouse;

import java.util.List;
import java.util.Optional;

/**
 * A page of runs.
 *
 * @param runs may be fewer than asked for, even none, although there is a next page: a page looks at a bounded number of
 *     rows
 * @param next hand it to the next call of {@link Dormouse#list}; empty when this was the last page
 */
public record RunList(List<RunDescription> runs, Optional<String> next) {}
