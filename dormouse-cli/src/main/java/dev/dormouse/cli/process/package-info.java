/** The environment and the exit codes of the process. */
@NullMarked
package dev.dormouse.cli.process;

import org.jspecify.annotations.NullMarked;
