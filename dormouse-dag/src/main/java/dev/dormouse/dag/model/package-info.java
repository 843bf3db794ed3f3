/**
 * The model of a DAG: its steps, their actions and order, the validation before it runs, and its Mermaid flowchart.
 */
@NullMarked
package dev.dormouse.dag.model;

import org.jspecify.annotations.NullMarked;
