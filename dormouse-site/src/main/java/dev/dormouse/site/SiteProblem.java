package dev.dormouse.site;

import java.util.List;

/** The mistakes in the documentation that fail the build. */
final class SiteProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SiteProblem(List<String> mistakes) {
        super(String.join(System.lineSeparator(), mistakes));
    }
}
