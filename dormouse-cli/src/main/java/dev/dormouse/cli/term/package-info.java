/** Terminal output: tables, charts, times and colours. */
@NullMarked
package dev.dormouse.cli.term;

import org.jspecify.annotations.NullMarked;
