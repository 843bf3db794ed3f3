/** The lower parts of a node, which all others share. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.context;

import org.jspecify.annotations.NullMarked;
