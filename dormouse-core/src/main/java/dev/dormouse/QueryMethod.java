package dev.dormouse;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a workflow interface that looks at a run's fields, open or closed, from any node. It sees what is
 * committed. It must not wait or schedule anything, and what it writes to a field is lost: use an
 * {@link UpdateMethod} to change something, or to read one's own writes.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueryMethod {
    /** The name of the query. Default: that of the method. */
    String name() default "";
}
