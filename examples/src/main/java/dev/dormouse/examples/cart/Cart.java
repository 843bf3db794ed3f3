package dev.dormouse.examples.cart;

import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;
import java.util.Map;

/** A cart, from the first article to the check-out. */
@WorkflowInterface
public interface Cart {
    /** Returns {@code ORDERED …}, or {@code EXPIRED} after {@code idle} without a change. */
    @WorkflowMethod
    String shop(Duration idle);

    /** Adds articles, and returns the new total in cents. */
    @UpdateMethod
    int add(String article, int number);

    @UpdateValidatorMethod(update = "add")
    void checkAdd(String article, int number);

    /** Orders the content, and returns the total in cents. */
    @UpdateMethod
    int checkOut();

    @UpdateValidatorMethod(update = "checkOut")
    void checkCheckOut();

    @QueryMethod
    Map<String, Integer> articles();
}
