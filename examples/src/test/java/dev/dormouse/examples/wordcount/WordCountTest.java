package dev.dormouse.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.TypeRef;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WordCountTest {
    private final List<String> counted = new ArrayList<>();
    private String broken = "";

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder ->
            builder.workflow(WordCount.class, WordCountWorkflow::new).activities(Library.class, new FakeLibrary()));

    @Test
    void countsAreMerged(TestDormouse test) {
        WordCount count = test.dormouse().workflow(WordCount.class, "count");
        assertThat(count.count("book"))
                .isEqualTo(Map.of("word", 6, "c1", 1, "c2", 1, "c3", 1, "c4", 1, "c5", 1, "c6", 1));
    }

    @Test
    void retryOfAFailedRunRepeatsOnlyChaptersWithoutAResult(TestDormouse test) {
        broken = "c4";
        WordCount count = test.dormouse().workflow(WordCount.class, "count");
        assertThatThrownBy(() -> count.count("book")).isInstanceOf(WorkflowFailedException.class);
        broken = "";
        Map<String, Integer> words = test.dormouse()
                .handle("count", new TypeRef<Map<String, Integer>>() {})
                .retry()
                .result();
        assertThat(words).containsEntry("word", 6);
        assertThat(counted).doesNotHaveDuplicates().hasSize(6);
    }

    private final class FakeLibrary implements Library {
        @Override
        public List<String> chapters(String book) {
            return List.of("c1", "c2", "c3", "c4", "c5", "c6");
        }

        @Override
        public Map<String, Integer> countWords(String chapter) {
            if (chapter.equals(broken)) {
                throw new IllegalStateException("no such chapter");
            }
            counted.add(chapter);
            return Map.of("word", 1, chapter, 1);
        }
    }
}
