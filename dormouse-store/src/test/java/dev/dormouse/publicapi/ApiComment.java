package dev.dormouse.publicapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A public element with its Javadoc comment, and the rules for the comment: see docs/adr/0070.
 *
 * @param place the element
 * @param type the qualified name of the type that has it, or that it is
 * @param typeText the comments of that type and the types around it
 * @param declaration its declaration in one line, without its body
 * @param text the comment without asterisks; empty if there is none
 */
record ApiComment(ApiElement place, String type, String typeText, String declaration, String text) {
    private static final Pattern BAD_OPENING =
            Pattern.compile("(What|That|Whether|Who|Whoever|The same)\\b.*", Pattern.DOTALL);
    private static final Pattern VERB = Pattern.compile("(\\{@return |[A-Z][a-z]*s\\b).*", Pattern.DOTALL);
    private static final Set<String> NOT_VERBS = Set.of("This", "Its", "As", "Always", "Thus", "Us", "Options");

    /** Verbs after which the result is obvious: it is the thing that was created, found, opened or listed. */
    private static final Pattern MAKES =
            Pattern.compile("(Creates|Finds|Lists|Opens|Reads|Tries)\\b.*", Pattern.DOTALL);

    private static final Pattern RETURNS = Pattern.compile("\\b[Rr]eturn(s|ed)?\\b");
    private static final Pattern ADDS = Pattern.compile("(Adds|Declares|Registers)\\b.*", Pattern.DOTALL);
    private static final Pattern DEFAULT = Pattern.compile("\\b([Dd]efault|empty|Required)\\b");
    private static final Pattern WORDS =
            Pattern.compile("(?i)\\b(somebody|nobody|anybody|whoever|now and then|begins? anew|also if)\\b");
    private static final Pattern THROWS =
            Pattern.compile("^\\s*@throws\\s+(\\S+)\\s*(.*?)(?=^\\s*@|\\z)", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern AS_ANOTHER = Pattern.compile("@throws[^@]* as \\{@link");
    private static final Pattern CODE = Pattern.compile("(?<![#.\\w])[A-Z]{2,}(?:_[A-Z]+)+(?!\\w)");

    /** Returns one sentence for each rule that the comment breaks. */
    List<String> problems(Set<String> errorCodes) {
        List<String> problems = new ArrayList<>();
        if (text.isBlank()) {
            if (!place.inherits()) {
                problems.add("has no comment");
            }
            return problems;
        }
        if (BAD_OPENING.matcher(text.strip()).matches()) {
            problems.add("opens with a word that is not allowed");
        }
        Matcher word = WORDS.matcher(text);
        if (word.find()) {
            problems.add("contains \"" + word.group() + "\"");
        }
        if (place.isMethod()) {
            methodProblems(problems);
        }
        place.components().stream()
                .filter(name -> !mentions(name))
                .forEach(name -> problems.add("does not describe the component " + name));
        throwsProblems(problems, errorCodes);
        return problems;
    }

    private void methodProblems(List<String> problems) {
        String opening = text.strip();
        if (!VERB.matcher(opening).matches() || NOT_VERBS.contains(opening.split("\\W", 2)[0])) {
            problems.add("does not open with a verb in the third person");
        }
        if (place.hasResult()
                && !RETURNS.matcher(text).find()
                && !MAKES.matcher(opening).matches()) {
            problems.add("does not say what is returned");
        }
        if (place.mentionsNull() && !text.contains("null")) {
            problems.add("does not say what null means, but its signature has @Nullable");
        }
        if (place.isOption()
                && !ADDS.matcher(opening).matches()
                && !DEFAULT.matcher(text).find()) {
            problems.add("does not name the default");
        }
        place.thrown().stream()
                .filter(type -> !Pattern.compile("@throws\\s+(\\w+\\.)*" + type + "\\b")
                        .matcher(text)
                        .find())
                .forEach(type -> problems.add("does not describe the declared exception " + type));
        place.codes().stream()
                .filter(code -> !place.inherits() && !AS_ANOTHER.matcher(text).find())
                .filter(code -> !names(text + typeText, code))
                .forEach(code -> problems.add("does not name the error code " + code + ", which the code throws"));
    }

    private void throwsProblems(List<String> problems, Set<String> errorCodes) {
        Matcher thrown = THROWS.matcher(text);
        while (thrown.find()) {
            Matcher code = CODE.matcher(thrown.group(2));
            boolean any = thrown.group(2).contains("as {@link");
            while (code.find()) {
                any = true;
                if (!errorCodes.contains(code.group())) {
                    problems.add("names the error code " + code.group() + ", which does not exist");
                }
            }
            if (!any && thrown.group(1).endsWith("DormouseException")) {
                problems.add("has @throws DormouseException without an error code");
            }
        }
    }

    /** Returns true if a text has an error code, or the exception that is named like it. */
    private static boolean names(String text, String code) {
        String exception = Pattern.compile("_?([A-Z])([A-Z]*)")
                .matcher(code)
                .replaceAll(word -> word.group(1) + word.group(2).toLowerCase(Locale.ROOT));
        return text.contains(code) || text.contains(exception + "Exception");
    }

    /** Returns true if the comment has a {@code @param} for the name, or the name in its text. */
    private boolean mentions(String name) {
        return Pattern.compile("@param\\s+" + name + "\\b|\\{@code [^}]*\\b" + name + "\\b")
                .matcher(text)
                .find();
    }
}
