/** Output formats: a Markdown table, a JSON file, a chart. */
@NullMarked
package dev.dormouse.benchmarks.report;

import org.jspecify.annotations.NullMarked;
