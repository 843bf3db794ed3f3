/** One node: its parts, its wiring and its shutdown. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine;

import org.jspecify.annotations.NullMarked;
