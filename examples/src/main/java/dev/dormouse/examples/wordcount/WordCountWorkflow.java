package dev.dormouse.examples.wordcount;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Four chapters at a time. */
public class WordCountWorkflow implements WordCount {
    private final Library library = Workflow.activities(
            Library.class, ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(2)));

    @Override
    public Map<String, Integer> count(String book) {
        List<String> chapters = library.chapters(book);
        List<Map<String, Integer>> counts = Workflow.parallel(chapters, 4, chapter -> library.countWords(chapter));
        Map<String, Integer> total = new TreeMap<>();
        counts.forEach(count -> count.forEach((word, number) -> total.merge(word, number, Integer::sum)));
        return total;
    }
}
