/** What a DAG is: its steps, what each of them does and comes after, what is checked before it may run, and its JSON. */
@NullMarked
package dev.dormouse.dag.model;

import org.jspecify.annotations.NullMarked;
