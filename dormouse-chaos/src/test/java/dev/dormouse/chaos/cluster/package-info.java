/** The environment of a test: a store with its workers, direct access to its tables, and measurements. */
@NullMarked
package dev.dormouse.chaos.cluster;

import org.jspecify.annotations.NullMarked;
