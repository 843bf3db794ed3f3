package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Token;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The dashboard's files, from the class path. Those below a folder with a version in its name never change. */
final class StaticFiles {
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_@-][A-Za-z0-9._@-]*/)*[A-Za-z0-9_@-][A-Za-z0-9._@-]*");
    private static final int LONGEST = 200;
    private static final Pattern VERSIONED = Pattern.compile(".*\\d+\\.\\d+\\.\\d+.*/.*");
    private static final Map<String, String> TYPES = types();

    /** A file in memory. */
    private record File(byte[] bytes, String type, String tag) {}

    private final String folder;
    private final Map<String, File> files = new ConcurrentHashMap<>();

    /** @param folder on the class path, with a slash at its end */
    StaticFiles(String folder) {
        this.folder = folder;
    }

    /** @param known the tag that the caller has, if any */
    ApiResponse get(String path, @Nullable String known) {
        String name = path.equals("/") ? "index.html" : path.substring(1);
        File file = find(name)
                .orElseThrow(() -> Refused.with(
                        404, ErrorCode.NOT_FOUND, "Expected a page or a path of the API, but there is none here."));
        boolean isKnown = file.tag().equals(known);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ETag", file.tag());
        headers.put(
                "Cache-Control",
                VERSIONED.matcher(name).matches() ? "public, max-age=31536000, immutable" : "no-cache");
        return new ApiResponse(isKnown ? 304 : 200, file.type(), isKnown ? new byte[0] : file.bytes(), headers, "");
    }

    private Optional<File> find(String name) {
        if (name.length() > LONGEST || !NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        File known = files.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        try (InputStream in = StaticFiles.class.getClassLoader().getResourceAsStream(folder + name)) {
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            if (in == null || type == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            String hash = Token.hash(new String(bytes, StandardCharsets.ISO_8859_1));
            File file = new File(bytes, type, "\"" + hash.substring(hash.length() - 24) + "\"");
            files.put(name, file);
            return Optional.of(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Map<String, String> types() {
        return Map.ofEntries(
                Map.entry("html", "text/html; charset=utf-8"),
                Map.entry("js", "text/javascript; charset=utf-8"),
                Map.entry("mjs", "text/javascript; charset=utf-8"),
                Map.entry("css", "text/css; charset=utf-8"),
                Map.entry("json", "application/json"),
                Map.entry("map", "application/json"),
                Map.entry("svg", "image/svg+xml"),
                Map.entry("png", "image/png"),
                Map.entry("ico", "image/x-icon"),
                Map.entry("woff2", "font/woff2"),
                Map.entry("txt", "text/plain; charset=utf-8"),
                Map.entry("webmanifest", "application/manifest+json"));
    }
}
