/** The limit of the database: Dormouse's rows, written in the same batches by plain JDBC, without an engine. */
@NullMarked
package dev.dormouse.benchmarks.system.limit;

import org.jspecify.annotations.NullMarked;
