/** Test support: scenarios under simulated time, sample and random DAGs, and assertions. */
@NullMarked
package dev.dormouse.dag.support;

import org.jspecify.annotations.NullMarked;
