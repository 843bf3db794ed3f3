package dev.dormouse;

import dev.dormouse.error.UpdateFailedException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a workflow interface that handles an update. It may change the run's fields, wait and execute
 * steps, and its result is the answer to the caller. The answer is recorded before the caller receives it. If a handler
 * throws, the caller receives {@link UpdateFailedException}, and the run continues.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface UpdateMethod {
    /** Returns the name of the update. Default: the name of the method. */
    String name() default "";
}
