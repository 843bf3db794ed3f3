package dev.dormouse;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a workflow interface that looks at an update before its handler runs, with the same parameters. What it
 * throws is the answer, as a rejection. It must not change, wait for or schedule anything.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface UpdateValidatorMethod {
    /** The name of the update that it validates. */
    String update();
}
