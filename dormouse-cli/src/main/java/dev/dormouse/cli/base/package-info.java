/** What commands have in common: options, and how values are read from them. */
@NullMarked
package dev.dormouse.cli.base;

import org.jspecify.annotations.NullMarked;
