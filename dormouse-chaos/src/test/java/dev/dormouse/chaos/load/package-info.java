/** Tests of load and cost: backlogs, sleeping runs, many timers, lateness and the soak test. */
@NullMarked
package dev.dormouse.chaos.load;

import org.jspecify.annotations.NullMarked;
