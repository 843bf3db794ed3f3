/** Operations on single runs: start, commit, deliver, read and purge, with their history, inbox and outbox. */
@NullMarked
package dev.dormouse.postgres.run;

import org.jspecify.annotations.NullMarked;
