/** {@code dormouse lint}. */
@NullMarked
package dev.dormouse.cli.lint;

import org.jspecify.annotations.NullMarked;
