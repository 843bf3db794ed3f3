/** The command line of the examples that wait for people. */
@NullMarked
package dev.dormouse.examples.terminal;

import org.jspecify.annotations.NullMarked;
