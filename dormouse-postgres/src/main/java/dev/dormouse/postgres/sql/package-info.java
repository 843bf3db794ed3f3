/** Shared by all statements: the schema, parameters, result rows, the epoch and the meaning of SQLSTATEs. */
@NullMarked
package dev.dormouse.postgres.sql;

import org.jspecify.annotations.NullMarked;
