package dev.dormouse.examples.wordcount;

import dev.dormouse.ActivityInterface;
import java.util.List;
import java.util.Map;

/** The books. */
@ActivityInterface
public interface Library {
    List<String> chapters(String book);

    Map<String, Integer> countWords(String chapter);
}
