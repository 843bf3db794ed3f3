/** An escalation that can be postponed, within a policy. */
@NullMarked
package dev.dormouse.examples.ticket;

import org.jspecify.annotations.NullMarked;
