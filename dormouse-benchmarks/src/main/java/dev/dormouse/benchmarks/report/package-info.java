/** How figures are shown: a table, a file, a picture. */
@NullMarked
package dev.dormouse.benchmarks.report;

import org.jspecify.annotations.NullMarked;
