/**
 * A debounced notification: comments that follow each other become one mail, at the latest after a limit.
 * One run per reader takes all comments, and continues as new without losing one that has not been sent.
 */
@NullMarked
package dev.dormouse.examples.digest;

import org.jspecify.annotations.NullMarked;
