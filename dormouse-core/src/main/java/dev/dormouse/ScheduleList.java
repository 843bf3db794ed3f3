package dev.dormouse;

import java.util.List;
import java.util.Optional;

/**
 * A page of schedules.
 *
 * @param next hand it to the next call of {@link Schedules#list}; empty when this was the last page
 */
public record ScheduleList(List<ScheduleInfo> schedules, Optional<String> next) {}
