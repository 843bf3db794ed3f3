/** The nearest alarms of a node, in memory. Not part of the public API. */
@NullMarked
package dev.dormouse.alarm;

import org.jspecify.annotations.NullMarked;
