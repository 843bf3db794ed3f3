/** Commands for operators: nodes, events, migration, backup, health checks and error codes. */
@NullMarked
package dev.dormouse.cli.operate;

import org.jspecify.annotations.NullMarked;
