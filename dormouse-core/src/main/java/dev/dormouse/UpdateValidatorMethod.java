package dev.dormouse;

import dev.dormouse.error.UpdateFailedException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a workflow interface that validates an update before its handler runs, with the same parameters. If
 * it throws, the update is rejected, and the caller receives the exception in an {@link UpdateFailedException}. It must not
 * change, wait for or schedule anything.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface UpdateValidatorMethod {
    /** Returns the name of the update that this method validates. */
    String update();
}
