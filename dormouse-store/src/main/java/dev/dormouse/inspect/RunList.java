package dev.dormouse.inspect;

import java.util.List;
import java.util.Optional;

/**
 * A page of runs.
 *
 * @param runs may have fewer runs than the limit, even none, although there is a next page: a page examines a
 *     bounded number of rows
 * @param next the argument for {@link ListOptions#page}; empty on the last page
 */
public record RunList(List<RunDescription> runs, Optional<String> next) {}
