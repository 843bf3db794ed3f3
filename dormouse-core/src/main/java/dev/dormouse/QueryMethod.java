package dev.dormouse;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a workflow interface that reads a run's fields. It can be called from any node, for open and closed
 * runs. It sees the committed state. It must not wait or schedule anything, and changes that it makes to fields are
 * lost. Use an {@link UpdateMethod} to change something, or to read your own writes.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueryMethod {
    /** Returns the name of the query. Default: the name of the method. */
    String name() default "";
}
