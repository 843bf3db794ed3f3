/**
 * What {@code ./dormouse demo} shows. {@link dev.dormouse.examples.demo.OrderWorkflow} is what it is about, {@code Story} the
 * place to begin. The parent ({@code Play}, seen as a {@code Story} or as a {@code Show}) starts workers ({@code Worker}) and
 * talks with them through pipes ({@code Wire}); it never touches the store while they live.
 */
@NullMarked
package dev.dormouse.examples.demo;

import org.jspecify.annotations.NullMarked;
