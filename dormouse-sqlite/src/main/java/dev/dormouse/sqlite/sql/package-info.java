/** Shared by all statements: the schema, sessions and prepared statements, result rows and the meaning of result codes. */
@NullMarked
package dev.dormouse.sqlite.sql;

import org.jspecify.annotations.NullMarked;
