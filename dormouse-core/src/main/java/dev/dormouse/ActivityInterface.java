package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface of activities: methods with side effects, each call of which is a step of the workflow. The
 * annotation is optional: any interface works. {@link Compensate} marks activities that undo others.
 *
 * <p>The name of an interface is global: on all nodes of one database it denotes the same interface.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ActivityInterface {

    /**
     * Returns the name of the interface in steps and queues: an activity is named {@code name.method}. Default: the
     * simple name of the interface.
     *
     * <p>Without a declared name, an interface receives only the calls that were made through the interface with the
     * same package and name. With a declared name, it receives every call with that name. Declare a name to distinguish
     * two interfaces with the same simple name, or to move or copy an interface to another package without losing calls
     * in flight.
     */
    String name() default "";
}
