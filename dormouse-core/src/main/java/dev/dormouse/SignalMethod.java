package dev.dormouse;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a workflow interface that handles a signal. It returns void; calling it on a stub returns when the
 * store has accepted the signal. Handlers run in the order of acceptance, possibly before the first line of the
 * workflow method, and may wait. If a handler throws, the exception is logged and the run continues.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface SignalMethod {
    /** Returns the name of the signal. Default: the name of the method. */
    String name() default "";
}
