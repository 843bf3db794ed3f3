package dev.dormouse;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a workflow interface by which a run is told something. It returns nothing; calling it on a stub returns
 * when the store has accepted the signal. Handlers run in the order of acceptance, also before the workflow method's
 * first line, and may wait; one that throws is logged and does not harm the run.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface SignalMethod {
    /** The name of the signal. Default: that of the method. */
    String name() default "";
}
