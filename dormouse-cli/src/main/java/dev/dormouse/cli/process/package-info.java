/** The process that a command runs in, and how it ends. */
@NullMarked
package dev.dormouse.cli.process;

import org.jspecify.annotations.NullMarked;
