/** The loops of a node, each on a thread of its own. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.loop;

import org.jspecify.annotations.NullMarked;
