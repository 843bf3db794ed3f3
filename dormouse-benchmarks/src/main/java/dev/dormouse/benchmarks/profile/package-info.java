/** Where the processor time of a scenario goes. */
@NullMarked
package dev.dormouse.benchmarks.profile;

import org.jspecify.annotations.NullMarked;
