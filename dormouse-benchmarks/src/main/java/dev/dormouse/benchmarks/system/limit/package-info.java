/** What the database allows: the rows of Dormouse, written in the same batches by plain JDBC, without an engine. */
@NullMarked
package dev.dormouse.benchmarks.system.limit;

import org.jspecify.annotations.NullMarked;
