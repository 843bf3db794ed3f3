package dev.dormouse;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a workflow interface by which a run is asked for something: it may change the run's fields, wait, take
 * steps, and its result is the answer. The answer is recorded before it is given. A handler that throws answers with
 * {@link UpdateFailed} and does not harm the run.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface UpdateMethod {
    /** The name of the update. Default: that of the method. */
    String name() default "";
}
