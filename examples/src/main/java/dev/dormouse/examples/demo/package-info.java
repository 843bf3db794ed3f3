/**
 * The program behind {@code ./dormouse demo}. {@link dev.dormouse.examples.demo.OrderWorkflow} is the workflow that it
 * shows; start reading with {@code ScriptedDemo}. The parent ({@code DemoRun}, presented as a {@code ScriptedDemo} or
 * an {@code InteractiveDemo}) starts workers ({@code DemoWorker}) and communicates with them through pipes ({@code
 * PipeProtocol}); it never touches the store while they are alive.
 */
@NullMarked
package dev.dormouse.examples.demo;

import org.jspecify.annotations.NullMarked;
