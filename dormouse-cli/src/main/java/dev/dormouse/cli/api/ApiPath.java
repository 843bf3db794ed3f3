package dev.dormouse.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A path of the API with its query parameters.
 *
 * @param path below {@code /api/v1}, percent-encoded
 */
public record ApiPath(String path, Map<String, List<String>> query) {
    static final String BASE = "/api/v1";

    /** Creates a path. The segments are percent-encoded. */
    public static ApiPath of(String... segments) {
        return new ApiPath(
                Stream.of(segments).map(segment -> "/" + encoded(segment)).collect(Collectors.joining()), Map.of());
    }

    /** Returns this path with a query parameter, or unchanged if its value is null or empty. */
    public ApiPath with(String name, @Nullable Object value) {
        if (value == null || value.toString().isEmpty()) {
            return this;
        }
        Map<String, List<String>> more = new LinkedHashMap<>(query);
        more.put(name, List.of(value.toString()));
        return new ApiPath(path, more);
    }

    /** Returns the path and query as they appear in a URL. */
    String text() {
        String parameters = query.entrySet().stream()
                .flatMap(
                        entry -> entry.getValue().stream().map(value -> encoded(entry.getKey()) + "=" + encoded(value)))
                .collect(Collectors.joining("&"));
        return BASE + path + (parameters.isEmpty() ? "" : "?" + parameters);
    }

    /** Percent-encodes a text. Dots alone are also encoded, since they would change the path. */
    private static String encoded(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
    }
}
