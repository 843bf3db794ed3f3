package dev.dormouse.site;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The anchors that GitHub gives the headings of one Markdown file, so that a link with an anchor works there and on the
 * site. Not thread-safe.
 */
final class GitHubSlugs {
    private final Set<String> used = new HashSet<>();

    /** Returns the anchor of the next heading: unique, in lower case, without punctuation. */
    String next(String heading) {
        String slug = heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]", "")
                .replace(' ', '-');
        String unique = slug;
        for (int count = 1; !used.add(unique); count++) {
            unique = slug + "-" + count;
        }
        return unique;
    }
}
