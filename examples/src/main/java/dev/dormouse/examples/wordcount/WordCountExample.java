package dev.dormouse.examples.wordcount;

import dev.dormouse.Dormouse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A program that counts the words of 20 chapters. Argument: the store. */
public final class WordCountExample {
    private WordCountExample() {}

    public static void main(String[] args) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(WordCount.class, WordCountWorkflow::new)
                .activities(Library.class, new SmallLibrary())
                .open()) {
            WordCount count = dormouse.workflow(WordCount.class, "words-of-alice");
            System.out.println("The words: " + count.count("alice"));
        }
    }

    private static final class SmallLibrary implements Library {
        @Override
        public List<String> chapters(String book) {
            return IntStream.range(0, 20)
                    .mapToObj(number -> "the dormouse sleeps " + (number % 2 == 0 ? "on" : "again"))
                    .toList();
        }

        @Override
        public Map<String, Integer> countWords(String chapter) {
            return Arrays.stream(chapter.split(" ")).collect(Collectors.toMap(word -> word, word -> 1, Integer::sum));
        }
    }
}
