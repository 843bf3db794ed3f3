/** Events, messages and their stored encoding. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.history;

import org.jspecify.annotations.NullMarked;
