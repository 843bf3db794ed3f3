package dev.dormouse.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** URLs of stores as they may be shown. */
public final class StoreUrl {
    private static final String HIDDEN = "***";

    /** What stands before the user, or the host: {@code jdbc:postgresql://}, {@code postgres://}, {@code mysql:}. */
    private static final Pattern SCHEME = Pattern.compile("(?:[A-Za-z][\\w+.-]*:)*/*");

    private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile("[?&;][^&;]*");
    private static final Pattern SECRET = Pattern.compile(
            "([^=?&;\\s]*(?:pass|pwd|secret|token|credential|key)[^=?&;\\s]*\\s*=)[^&;]*", Pattern.CASE_INSENSITIVE);

    private StoreUrl() {}

    /**
     * The URL without user and password before an {@code @}, and without the values of parameters that sound secret. In
     * doubt it shows less.
     */
    public static String masked(String url) {
        int at = atOfUser(url);
        String rest = at < 0 ? url : scheme(url) + HIDDEN + url.substring(at);
        Matcher parameters = PARAMETERS.matcher(rest);
        return parameters.find()
                ? withoutSecrets(rest.substring(0, parameters.start())) + maskedParameters(parameters.group())
                : withoutSecrets(rest);
    }

    /** The last one before the parameters; or in them, where they cannot be any because a password has odd characters. */
    private static int atOfUser(String url) {
        int question = url.indexOf('?');
        if (question < 0 || url.lastIndexOf('@', question) >= 0) {
            return question < 0 ? url.lastIndexOf('@') : url.lastIndexOf('@', question);
        }
        int at = url.indexOf('@', question);
        int equals = url.indexOf('=', question);
        return equals < 0 || at < equals ? url.lastIndexOf('@') : -1;
    }

    private static String scheme(String url) {
        Matcher scheme = SCHEME.matcher(url);
        String found = scheme.lookingAt() ? scheme.group() : "";
        return found.endsWith("/") || !found.contains(":") ? found : found.substring(0, found.indexOf(':') + 1);
    }

    /** A part without a name may be the rest of a password. */
    private static String maskedParameters(String parameters) {
        return PARAMETER
                .matcher(parameters)
                .replaceAll(part -> Matcher.quoteReplacement(
                        part.group().indexOf('=') > 0 || part.group().length() == 1
                                ? withoutSecrets(part.group())
                                : part.group().charAt(0) + HIDDEN));
    }

    private static String withoutSecrets(String text) {
        return SECRET.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(HIDDEN));
    }
}
