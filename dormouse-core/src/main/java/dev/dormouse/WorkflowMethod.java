package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the method of a {@link WorkflowInterface} that is the workflow: calling it starts a run. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WorkflowMethod {

    /** The name of the workflow type in the store. Default: the simple name of the interface. */
    String name() default "";
}
