/** Read-only queries for dashboards and metrics: lists, upcoming alarms, status counts and tallies. */
@NullMarked
package dev.dormouse.sqlite.page;

import org.jspecify.annotations.NullMarked;
