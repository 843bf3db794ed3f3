/** How a DAG runs: as a workflow like any other, whose code is an interpreter of the definition. */
@NullMarked
package dev.dormouse.dag.run;

import org.jspecify.annotations.NullMarked;
