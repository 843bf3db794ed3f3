package dev.dormouse.timer;

import java.util.List;
import java.util.Optional;

/**
 * A page of timers.
 *
 * @param timers may have fewer timers than the limit, even none, although there is a next page: a page examines a
 *     bounded number of rows
 * @param next the argument for {@link TimerListOptions#page}; empty on the last page
 */
public record TimerList(List<TimerInfo> timers, Optional<String> next) {}
