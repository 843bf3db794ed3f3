package dev.dormouse.publicapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Explanation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts in errors.properties agree with the sources: examples are messages of the code, and named methods exist. */
class ErrorExamplesTest {
    private static final Pattern MEMBER = Pattern.compile("(?<![\\w.])([A-Z]\\w+)\\.([a-zA-Z]\\w*)");
    private static final Pattern CALL = Pattern.compile("(?<![\\w.])([a-z]\\w*)\\(");
    private static final Pattern WHOLE_MEMBER = Pattern.compile("([A-Z]\\w+)\\.([a-z]\\w*)");
    private static final Set<String> NOT_OURS = Set.of("Instant.MAX", "System.exit");

    @Test
    void everyExampleIsAMessageOfTheSources() {
        MessageTemplates templates = MessageTemplates.read();
        List<String> guessed = new ArrayList<>();
        for (ErrorCode code : ErrorCode.values()) {
            String example =
                    Explanation.of(code).example().substring(code.label().length() + 3);
            if (templates.of(code).stream().noneMatch(example::matches)) {
                guessed.add(
                        code + ": " + example + "\n    is none of\n    " + String.join("\n    ", templates.of(code)));
            }
        }
        assertThat(guessed).as("examples in errors.properties").isEmpty();
    }

    @Test
    void everyMethodThatATextNamesExists() {
        Map<String, Set<String>> members = members();
        Set<String> all = new HashSet<>();
        members.values().forEach(all::addAll);
        List<String> unknown = new ArrayList<>();
        for (ErrorCode code : ErrorCode.values()) {
            Explanation texts = Explanation.of(code);
            String text = String.join(" ", texts.meaning(), texts.when(), texts.example(), texts.whatToDo())
                    .replaceAll("com\\.example\\.\\S+|java\\.\\S+", "");
            MEMBER.matcher(text)
                    .results()
                    .filter(found -> !NOT_OURS.contains(found.group()))
                    .filter(found -> members.containsKey(found.group(1)))
                    .filter(found -> !members.get(found.group(1)).contains(found.group(2)))
                    .forEach(found -> unknown.add(code + ": " + found.group()));
            CALL.matcher(text)
                    .results()
                    .filter(found -> !all.contains(found.group(1)))
                    .forEach(found -> unknown.add(code + ": " + found.group(1) + "(…)"));
        }
        assertThat(unknown).as("methods that errors.properties names").isEmpty();
    }

    /** Messages name the public method that was called, as in {@code CallGuard.changes("Dormouse.start")}. */
    @Test
    void everyMethodThatALiteralOfTheSourcesNamesExists() {
        Map<String, Set<String>> members = members();
        List<String> unknown = MessageTemplates.literals()
                .filter(literal -> {
                    Matcher member = WHOLE_MEMBER.matcher(literal);
                    return member.matches()
                            && members.containsKey(member.group(1))
                            && !members.get(member.group(1)).contains(member.group(2));
                })
                .distinct()
                .toList();
        assertThat(unknown).as("methods that messages name").isEmpty();
    }

    /** Returns the names of the members of each public type, and those of its supertypes, by its simple name. */
    private static Map<String, Set<String>> members() {
        Map<String, Set<String>> own = new TreeMap<>();
        Map<String, Set<String>> words = new TreeMap<>();
        for (ApiComment comment : ApiSources.comments()) {
            String type = comment.type().substring(comment.type().lastIndexOf('.') + 1);
            Set<String> names = own.computeIfAbsent(type, name -> new HashSet<>());
            if (comment.place().kind() == ApiElement.Kind.TYPE) {
                words.computeIfAbsent(type, name -> new HashSet<>())
                        .addAll(Arrays.asList(comment.declaration().split("\\W+")));
                names.addAll(comment.place().components());
            } else {
                String name = comment.place().name().replaceFirst("\\(.*", "");
                names.add(name.substring(name.lastIndexOf('.') + 1));
            }
        }
        Map<String, Set<String>> all = new TreeMap<>();
        own.forEach((type, names) -> {
            Set<String> with = all.computeIfAbsent(type, name -> new HashSet<>(names));
            words.getOrDefault(type, Set.of()).stream()
                    .flatMap(word -> own.containsKey(word) ? own.get(word).stream() : Stream.empty())
                    .forEach(with::add);
        });
        return all;
    }
}
