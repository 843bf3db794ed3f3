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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Files of a class path folder, and generated files. Thread-safe: a file that two threads load at once is loaded twice,
 * with the same content.
 */
final class StaticFiles {
    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_@-][A-Za-z0-9._@-]*/)*[A-Za-z0-9_@-][A-Za-z0-9._@-]*");
    private static final int LONGEST = 200;
    private static final Map<String, String> TYPES = types();

    /** A file in memory. */
    private record File(byte[] bytes, String type, String tag) {}

    private final String folder;
    private final Map<String, File> files = new ConcurrentHashMap<>();

    /**
     * Creates files.
     *
     * @param folder a folder on the class path, with a slash at its end
     */
    StaticFiles(String folder) {
        this.folder = folder;
    }

    /** Serves {@code bytes} as the file {@code name}, instead of the one on the class path. */
    void put(String name, byte[] bytes) {
        files.put(name, file(name, bytes));
    }

    /**
     * Returns a file.
     *
     * @param known the entity tag that the client has, if any
     * @param isPermanent true if the content at this URL never changes, so that browsers may cache it permanently
     */
    ApiResponse get(String name, @Nullable String known, boolean isPermanent) {
        File file = find(name)
                .orElseThrow(() -> RequestRefused.with(
                        404, ErrorCode.NOT_FOUND, "Expected a page or a path of the API, but there is none here."));
        boolean isKnown = file.tag().equals(known);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ETag", file.tag());
        headers.put("Cache-Control", isPermanent ? "public, max-age=31536000, immutable" : "no-cache");
        return new ApiResponse(isKnown ? 304 : 200, file.type(), isKnown ? new byte[0] : file.bytes(), headers, "");
    }

    /** Returns the content of a file that must exist. */
    String text(String name) {
        return new String(existing(name).bytes(), StandardCharsets.UTF_8);
    }

    /** Returns a hash of a file that must exist. */
    String tag(String name) {
        return existing(name).tag();
    }

    private File existing(String name) {
        return find(name)
                .orElseThrow(
                        () -> new IllegalStateException("Expected the file " + folder + name + ", but there is none."));
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
            if (in == null || !TYPES.containsKey(ending(name))) {
                return Optional.empty();
            }
            put(name, in.readAllBytes());
            return Optional.ofNullable(files.get(name));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static File file(String name, byte[] bytes) {
        String hash = Token.hash(new String(bytes, StandardCharsets.ISO_8859_1));
        String type = Objects.requireNonNull(TYPES.get(ending(name)));
        return new File(bytes, type, "\"" + hash.substring(hash.length() - 24) + "\"");
    }

    private static String ending(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
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
