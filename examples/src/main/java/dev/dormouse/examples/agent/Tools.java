package dev.dormouse.examples.agent;

import dev.dormouse.ActivityInterface;

/** The tools that the model may use. Each has one argument and returns a text. */
@ActivityInterface
public interface Tools {
    String findOrder(String customer);

    String refund(String order);
}
