package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the name of an activity, so that its method can be renamed or overloaded. The annotation is optional: the
 * name of an activity is by default the name of its method.
 *
 * <pre>{@code
 * @ActivityInterface
 * public interface Bank {
 *   @ActivityMethod(name = "pay") // the method was named pay before; calls in flight still find it
 *   String transfer(String account, long cents);
 *
 *   @ActivityMethod(name = "payInEuro")
 *   String transfer(String account, BigDecimal euro);
 * }
 * }</pre>
 *
 * <p>The name is stored in histories and queues. If an interface overrides a method of another interface and has no
 * annotation of its own, the annotation of the overridden method applies.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ActivityMethod {

    /**
     * Returns the name of the activity within its interface: {@code pay} for the activity {@code Bank.pay}. It has no
     * dot and no colon, and no other activity of the interface has it. {@link Compensate#forActivity} and the options
     * of {@link WorkflowContext#activities(Class, ActivityOptions, java.util.Map)} refer to it.
     */
    String name();
}
