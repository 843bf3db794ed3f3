/**
 * The program behind {@code ./dormouse demo}. {@link dev.dormouse.demo.order.OrderWorkflow} is the workflow
 * that it shows; start reading with {@code ScriptedDemo}. The parent ({@link dev.dormouse.demo.run.DemoRun},
 * presented as a {@code ScriptedDemo} or an {@code InteractiveDemo}) starts workers ({@link
 * dev.dormouse.demo.worker.DemoWorker}) and communicates with them through pipes ({@link
 * dev.dormouse.demo.worker.PipeProtocol}); it never touches the store while they are alive.
 */
@NullMarked
package dev.dormouse.demo;

import org.jspecify.annotations.NullMarked;
