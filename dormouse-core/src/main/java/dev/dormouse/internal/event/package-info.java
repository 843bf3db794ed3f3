/** Published events: their delivery, and the waits that match them. */
@NullMarked
package dev.dormouse.internal.event;

import org.jspecify.annotations.NullMarked;
