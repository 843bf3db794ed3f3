package dev.dormouse.error;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * The explanation of an error code, with more detail than fits into a message.
 *
 * @param meaning one or two sentences
 * @param when the situations in which it happens
 * @param example a message with this code, which begins with the code in brackets
 * @param whatToDo the first thing to try
 */
public record Explanation(String meaning, String when, String example, String whatToDo) {
    private static final String RESOURCE = "errors.properties";

    /** Returns the explanation of a code. Every code has one. */
    public static Explanation of(ErrorCode code) {
        return new Explanation(
                Texts.ALL.getProperty(code.name() + ".meaning", ""),
                Texts.ALL.getProperty(code.name() + ".when", ""),
                "[" + code.label() + "] " + Texts.ALL.getProperty(code.name() + ".example", ""),
                Texts.ALL.getProperty(code.name() + ".whatToDo", ""));
    }

    /** Holder that loads the texts on first use. */
    private static final class Texts {
        static final Properties ALL = read();

        private static Properties read() {
            Properties texts = new Properties();
            try (InputStream in = Explanation.class.getResourceAsStream(RESOURCE)) {
                if (in == null) {
                    throw new IllegalStateException("Expected " + RESOURCE + " beside the class, but it is not there.");
                }
                texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
                return texts;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
