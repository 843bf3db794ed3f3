/** The store's clock as a node knows it, and the alarms that it has read. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.time;

import org.jspecify.annotations.NullMarked;
