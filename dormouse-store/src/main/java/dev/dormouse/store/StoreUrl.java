package dev.dormouse.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Store URLs in a form without secrets. */
public final class StoreUrl {
    private static final String HIDDEN = "***";

    /** The part before the user or host: {@code jdbc:postgresql://}, {@code postgres://}, {@code mysql:}. */
    private static final Pattern SCHEME = Pattern.compile("(?:[A-Za-z][\\w+.-]*:)*/*");

    private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile("[?&;][^&;]*");
    private static final Pattern SECRET = Pattern.compile(
            "([^=?&;\\s]*(?:pass|pwd|secret|token|credential|key)[^=?&;\\s]*\\s*=)[^&;]*", Pattern.CASE_INSENSITIVE);

    private StoreUrl() {}

    /**
     * Returns the URL without user and password before an {@code @}, and without the values of parameters that look
     * secret. In case of doubt it hides more.
     */
    public static String masked(String url) {
        int at = atOfUser(url);
        String rest = at < 0 ? url : scheme(url) + HIDDEN + url.substring(at);
        Matcher parameters = PARAMETERS.matcher(rest);
        return parameters.find()
                ? withoutSecrets(rest.substring(0, parameters.start())) + maskedParameters(parameters.group())
                : withoutSecrets(rest);
    }

    /**
     * Returns the index of the {@code @} after the user: the last one before the parameters. If a password contains a
     * question mark, it is the last one of the URL. Returns -1 if there is none.
     */
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

    /**
     * Hides the values of secret parameters. A parameter without a name may be the rest of a password, so it is hidden
     * too.
     */
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
