/** The implementation of schedules as runs. */
@NullMarked
package dev.dormouse.internal.schedule;

import org.jspecify.annotations.NullMarked;
