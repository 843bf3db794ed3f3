/** A workflow that starts in the caller's own transaction. */
@NullMarked
package dev.dormouse.examples.signup;

import org.jspecify.annotations.NullMarked;
