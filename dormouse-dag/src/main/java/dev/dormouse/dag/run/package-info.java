/** The execution of a DAG: a workflow like any other, whose code interprets the definition. */
@NullMarked
package dev.dormouse.dag.run;

import org.jspecify.annotations.NullMarked;
