/** The command line. */
@NullMarked
package dev.dormouse.cli;

import org.jspecify.annotations.NullMarked;
