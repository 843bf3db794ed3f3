/** The databases that everybody is measured on, with the same settings. */
@NullMarked
package dev.dormouse.benchmarks.database;

import org.jspecify.annotations.NullMarked;
