/**
 * The data of a DAG: JSON trees, paths into them, templates filled by paths, and conditions on the value at a path.
 */
@NullMarked
package dev.dormouse.dag.data;

import org.jspecify.annotations.NullMarked;
