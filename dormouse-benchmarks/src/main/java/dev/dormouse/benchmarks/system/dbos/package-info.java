/** DBOS Transact for Java: workflows and steps on PostgreSQL. */
@NullMarked
package dev.dormouse.benchmarks.system.dbos;

import org.jspecify.annotations.NullMarked;
