/** The exceptions of Dormouse, with stable error codes. */
@NullMarked
package dev.dormouse.error;

import org.jspecify.annotations.NullMarked;
