package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a workflow implementation that prepares its fields: it is called with the workflow's input before
 * any signal, update or query is handled, and before the workflow method. It must have the parameters of the workflow
 * method, return nothing, and wait for nothing.
 *
 * <pre>{@code
 * public final class AuctionWorkflow implements Auction {
 *     private Money best;
 *
 *     @WorkflowInit
 *     void init(Item item) { best = item.reserve(); } // a bid may arrive before the first line of sell(…)
 *
 *     @Override
 *     public Bid sell(Item item) { … }
 * }
 * }</pre>
 *
 * <p>At most one method of the class may have it. A method that breaks these rules makes
 * {@link DormouseBuilder#open} or the run fail with BAD_WORKFLOW_INTERFACE.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WorkflowInit {}
