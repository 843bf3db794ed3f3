/** Histories as JSON documents. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.history.json;

import org.jspecify.annotations.NullMarked;
