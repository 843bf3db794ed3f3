/** Terminal output: tables, charts, times and colors. */
@NullMarked
package dev.dormouse.cli.term;

import org.jspecify.annotations.NullMarked;
