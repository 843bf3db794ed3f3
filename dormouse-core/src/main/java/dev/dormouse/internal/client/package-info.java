/** The caller side of a run: handles, calls and descriptions. */
@NullMarked
package dev.dormouse.internal.client;

import org.jspecify.annotations.NullMarked;
