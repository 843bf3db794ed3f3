/**
 * An agent: a model chooses tools, their results go back to the model, and dangerous tools wait for a person.
 * Each answer of the model is a recorded step, so a crash repeats neither the conversation nor a tool.
 */
@NullMarked
package dev.dormouse.examples.agent;

import org.jspecify.annotations.NullMarked;
