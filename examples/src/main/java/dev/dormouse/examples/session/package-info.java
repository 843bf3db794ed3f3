/**
 * Sessions that expire: a timer without a workflow is moved by every request and cancelled by a logout.
 * The timer is stored, so that sessions also expire if the process that opened them is gone.
 */
@NullMarked
package dev.dormouse.examples.session;

import org.jspecify.annotations.NullMarked;
