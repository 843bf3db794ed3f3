/** The command-line interface. */
@NullMarked
package dev.dormouse.cli;

import org.jspecify.annotations.NullMarked;
