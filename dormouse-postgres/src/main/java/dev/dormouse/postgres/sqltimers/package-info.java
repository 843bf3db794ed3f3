/**
 * SQL timers: {@code select timers.schedule_in('5 minutes', 'delete from …')} on any PostgreSQL, without an extension.
 *
 * <p>{@link dev.dormouse.postgres.sqltimers.SqlTimerNode} is a node that executes them. The schema {@code timers}, with
 * all its functions and who may call them, is one SQL file beside this package; docs/sql-timers.md has the details.
 */
@NullMarked
package dev.dormouse.postgres.sqltimers;

import org.jspecify.annotations.NullMarked;
