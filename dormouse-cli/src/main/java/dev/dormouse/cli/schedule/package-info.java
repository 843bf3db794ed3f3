/** The commands {@code dormouse schedule}. */
@NullMarked
package dev.dormouse.cli.schedule;

import org.jspecify.annotations.NullMarked;
