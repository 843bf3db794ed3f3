/** A run's history as rows of bars over time. */
@NullMarked
package dev.dormouse.server.timeline;

import org.jspecify.annotations.NullMarked;
