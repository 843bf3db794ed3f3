package kotlin;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A stand-in for the annotation with which the Kotlin compiler marks its classes. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Metadata {}
