/** Base classes, options and argument parsing shared by commands. */
@NullMarked
package dev.dormouse.cli.base;

import org.jspecify.annotations.NullMarked;
