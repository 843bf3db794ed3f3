/** The databases on which all systems are measured, with the same settings. */
@NullMarked
package dev.dormouse.benchmarks.database;

import org.jspecify.annotations.NullMarked;
