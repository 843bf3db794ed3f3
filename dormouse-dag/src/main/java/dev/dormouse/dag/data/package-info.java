/**
 * How data flows through a DAG: trees of maps, lists, texts, numbers, booleans and null, as JSON has them; paths into them;
 * templates that are filled by paths; conditions on what is at a path.
 */
@NullMarked
package dev.dormouse.dag.data;

import org.jspecify.annotations.NullMarked;
