package kotlin;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands in for the annotation by which Kotlin's compiler marks its classes. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Metadata {}
