package dev.dormouse.schedule;

import java.util.List;
import java.util.Optional;

/**
 * A page of schedules.
 *
 * @param schedules the schedules by id; without those that this node cannot describe, so it may have fewer than a
 *     hundred although there is a next page
 * @param next the argument for {@link Schedules#list}; empty on the last page
 */
public record ScheduleList(List<ScheduleInfo> schedules, Optional<String> next) {}
