/** The commands {@code dormouse timer}. */
@NullMarked
package dev.dormouse.cli.timer;

import org.jspecify.annotations.NullMarked;
