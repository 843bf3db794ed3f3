package dev.dormouse;

import java.util.List;
import java.util.Optional;

/**
 * A page of timers.
 *
 * @param timers may be fewer than asked for, even none, although there is a next page: a page looks at a bounded number of
 *     rows
 * @param next hand it to {@link TimerListOptions#page}; empty when this was the last page
 */
public record TimerList(List<TimerInfo> timers, Optional<String> next) {}
