/** Checks and conversions of what users pass in: names, arguments, options and encoded values. */
@NullMarked
package dev.dormouse.internal.value;

import org.jspecify.annotations.NullMarked;
