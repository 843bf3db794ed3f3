/** A Dormouse whose node runs inside this process, and how it is configured and opened. */
@NullMarked
package dev.dormouse.internal.embedded;

import org.jspecify.annotations.NullMarked;
