/**
 * An approval that reminds and escalates: each approver gets a mail, reminders, and then the next approver is asked.
 * A decision is an update, so the second of two approvers who decide at once is told that it is too late.
 */
@NullMarked
package dev.dormouse.examples.expense;

import org.jspecify.annotations.NullMarked;
