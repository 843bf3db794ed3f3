/** Read-only queries for dashboards and metrics: lists, upcoming alarms, status counts, tallies and SQL timers. */
@NullMarked
package dev.dormouse.postgres.page;

import org.jspecify.annotations.NullMarked;
