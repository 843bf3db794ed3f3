package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface of activities: methods that touch the world, each call of which is a step of the workflow. An
 * interface without this annotation works as well. {@link Compensate} marks activities that undo others.
 *
 * <p>The name of an interface is global: all nodes on one database mean the same interface by it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ActivityInterface {

    /**
     * The name of the interface in steps and queues: an activity is named {@code name.method}. Default: the simple name of
     * the interface.
     *
     * <p>An interface that declares its name executes every call of that name. One that does not executes only calls of
     * the interface with its own package and name. So declare a name to tell two interfaces of one simple name apart, and
     * to move or copy an interface to another package without losing calls that are under way.
     */
    String name() default "";
}
