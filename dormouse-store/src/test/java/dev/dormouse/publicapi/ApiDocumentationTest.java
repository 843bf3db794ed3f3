package dev.dormouse.publicapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Javadoc of everything that modules export. The rules are in {@link ApiComment}; docs/adr/0070 has the reasons. */
class ApiDocumentationTest {
    private static final Set<String> CODES =
            Arrays.stream(ErrorCode.values()).map(ErrorCode::name).collect(Collectors.toSet());

    @Test
    void everyPublicElementIsDocumented() {
        List<ApiComment> comments = ApiSources.comments();
        assertThat(comments).hasSizeGreaterThan(1_000);
        assertThat(comments.stream().filter(comment -> !comment.place().codes().isEmpty()))
                .as("methods whose error codes were found")
                .hasSizeGreaterThan(300);
        assertThat(comments.stream()
                        .flatMap(comment -> comment.problems(CODES).stream()
                                .map(problem -> comment.place().name() + " " + problem))
                        .sorted())
                .isEmpty();
    }

    @Test
    void staticMethodsOfWorkflowHaveTheCommentsOfTheContext() {
        Map<String, String> context = comments("dev.dormouse.WorkflowContext");
        Map<String, String> statics = comments("dev.dormouse.Workflow");
        statics.keySet().retainAll(context.keySet());
        context.keySet().retainAll(statics.keySet());
        assertThat(statics).hasSizeGreaterThan(40);
        assertThat(statics.keySet().stream()
                        .filter(method -> !statics.get(method).equals(context.get(method))))
                .as("methods of Workflow whose comments differ from those of WorkflowContext")
                .isEmpty();
    }

    /** Returns the comments of a type's methods. */
    private static Map<String, String> comments(String type) {
        return ApiSources.comments().stream()
                .filter(comment ->
                        comment.type().equals(type) && comment.place().isMethod())
                .collect(Collectors.toMap(
                        comment -> comment.place().name().substring(type.length()),
                        comment -> comment.text().strip().replaceAll("\\s+", " "),
                        (one, other) -> one,
                        TreeMap::new));
    }

    @Test
    void rulesFindWhatIsMissing() {
        ApiElement method = new ApiElement(
                "a.B.c()",
                ApiElement.Kind.METHOD,
                false,
                true,
                true,
                true,
                List.of("IOException"),
                Set.of("BAD_ARGUMENT"),
                List.of());
        assertThat(problems(method, "")).containsExactly("has no comment");
        assertThat(problems(method, "Whether whoever waits.\n@throws DormouseException if not, or BAD_WORD_HERE"))
                .containsExactly(
                        "opens with a word that is not allowed",
                        "contains \"whoever\"",
                        "does not open with a verb in the third person",
                        "does not say what is returned",
                        "does not say what null means, but its signature has @Nullable",
                        "does not name the default",
                        "does not describe the declared exception IOException",
                        "does not name the error code BAD_ARGUMENT, which the code throws",
                        "names the error code BAD_WORD_HERE, which does not exist");
        assertThat(problems(method, "Returns a copy.\n@throws DormouseException if it is closed"))
                .contains("has @throws DormouseException without an error code");
        assertThat(problems(ApiElement.type("a.B", List.of("id", "name")), "A thing.\n\n@param id its id"))
                .containsExactly("does not describe the component name");
        assertThat(
                        problems(
                                method,
                                "Returns a copy, null if there is none. Default: none.\n"
                                        + "@throws IOException if the disk is full\n@throws DormouseException BAD_ARGUMENT if not"))
                .isEmpty();
    }

    private static Stream<String> problems(ApiElement element, String text) {
        return new ApiComment(element, "a.B", "A thing.", "", text).problems(CODES).stream();
    }
}
