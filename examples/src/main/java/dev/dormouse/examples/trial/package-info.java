/** The smallest program: a workflow with an interface, and the activities that it calls. */
@NullMarked
package dev.dormouse.examples.trial;

import org.jspecify.annotations.NullMarked;
