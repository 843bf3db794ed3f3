package dev.dormouse.examples.tutorial;

import dev.dormouse.ActivityInterface;

/** A postal service. Each call by a workflow is a step: once its result is stored, it is never repeated. */
@ActivityInterface
public interface Post {
    void send(String customer, String letter);
}
