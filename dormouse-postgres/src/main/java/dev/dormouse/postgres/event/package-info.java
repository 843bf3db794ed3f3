/** Tables beside the runs: subscriptions, past events, questions between nodes, progress notes and definitions. */
@NullMarked
package dev.dormouse.postgres.event;

import org.jspecify.annotations.NullMarked;
