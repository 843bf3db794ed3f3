package dev.dormouse.server.http;

import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Token;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard as browsers load it: few files, at URLs that contain their version. Thread-safe.
 *
 * <p>The page refers to its files below a folder whose name is a hash of all of them. Browsers cache these files
 * permanently; another version has other URLs. Below that folder {@code app.js} and {@code stream-worker.js} are
 * {@linkplain ModuleBundle bundles}. Without the folder each file is served as in the source tree, for debuggers.
 */
final class Dashboard {
    private static final String PAGE = "index.html";
    private static final List<String> SCRIPTS = List.of("app.js", "stream-worker.js");
    private static final Pattern VERSIONED = Pattern.compile("/([0-9a-f]{24})(/.+)");
    private static final Pattern NAMED = Pattern.compile("(?:(?<=href=\")|(?<=src=\")|(?<=url\\(\"))(?!data:)[^\"]+");

    private final StaticFiles sources = new StaticFiles("dev/dormouse/server/dashboard/");
    private final StaticFiles files = new StaticFiles("dev/dormouse/server/dashboard/");
    private @Nullable String version;

    /**
     * Returns a file of the dashboard.
     *
     * @param known the entity tag that the client has, if any
     */
    ApiResponse get(String path, @Nullable String known) {
        Matcher versioned = VERSIONED.matcher(path);
        if (path.equals("/") || path.equals("/" + PAGE)) {
            version();
            return files.get(PAGE, known, false);
        }
        // A page of an older or newer server still works, but its browser does not cache this server's files.
        return versioned.matches()
                ? files.get(
                        versioned.group(2).substring(1),
                        known,
                        versioned.group(1).equals(version()))
                : sources.get(path.substring(1), known, false);
    }

    private synchronized String version() {
        if (version == null) {
            version = join();
        }
        return version;
    }

    private String join() {
        Map<String, String> joined = new LinkedHashMap<>();
        for (String script : SCRIPTS) {
            ModuleBundle bundle = new ModuleBundle(script, sources::text);
            joined.put(script, bundle.text());
            joined.put(script + ".map", bundle.sourceMap());
        }
        String page = sources.text(PAGE);
        StringBuilder all = new StringBuilder(page).append(joined);
        NAMED.matcher(page + sources.text("style.css"))
                .results()
                .forEach(name -> all.append(name.group()).append(sources.tag(name.group())));
        String hash = Token.hash(all.toString());
        String folder = hash.substring(hash.length() - 24);
        joined.put(PAGE, NAMED.matcher(page).replaceAll(name -> folder + "/" + name.group()));
        joined.forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return folder;
    }
}
