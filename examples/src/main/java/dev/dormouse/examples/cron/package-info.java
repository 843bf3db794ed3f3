/**
 * A job that a schedule starts again and again, on any node of the cluster, and not while the previous one still runs.
 * A node that was down makes up for the last missed instant only.
 */
@NullMarked
package dev.dormouse.examples.cron;

import org.jspecify.annotations.NullMarked;
