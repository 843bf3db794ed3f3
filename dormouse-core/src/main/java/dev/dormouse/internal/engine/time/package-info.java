/**
 * The store's clock as a node knows it, the alarms that it has read, and when it reads again. Internal: may change at
 * any time.
 */
@NullMarked
package dev.dormouse.internal.engine.time;

import org.jspecify.annotations.NullMarked;
