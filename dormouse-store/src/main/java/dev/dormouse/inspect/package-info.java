/**
 * Descriptions of runs, timers, nodes and the store, as tools and monitors see them: values, and nothing that changes a
 * run.
 */
@NullMarked
package dev.dormouse.inspect;

import org.jspecify.annotations.NullMarked;
