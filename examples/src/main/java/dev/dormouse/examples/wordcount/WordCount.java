package dev.dormouse.examples.wordcount;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.util.Map;

/** The number of words in a book. */
@WorkflowInterface
public interface WordCount {
    @WorkflowMethod
    Map<String, Integer> count(String book);
}
