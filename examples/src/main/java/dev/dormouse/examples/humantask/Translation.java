package dev.dormouse.examples.humantask;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A text that a person translates. */
@WorkflowInterface
public interface Translation {
    @WorkflowMethod
    String translate(String text);
}
