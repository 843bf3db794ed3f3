/** Tables beside the runs: subscriptions, past events, questions between nodes, progress notes and definitions. */
@NullMarked
package dev.dormouse.sqlite.event;

import org.jspecify.annotations.NullMarked;
