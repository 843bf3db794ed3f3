/**
 * A step that a person completes: the activity puts a task with a token on a list and ends, and the step waits for days
 * without a thread. If the person does not answer in time, the next attempt makes a new task, and the old token is void.
 */
@NullMarked
package dev.dormouse.examples.humantask;

import org.jspecify.annotations.NullMarked;
