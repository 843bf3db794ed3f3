package dev.dormouse.schedule;

import java.util.List;
import java.util.Optional;

/**
 * A page of schedules.
 *
 * @param next the argument for {@link Schedules#list}; empty on the last page
 */
public record ScheduleList(List<ScheduleInfo> schedules, Optional<String> next) {}
