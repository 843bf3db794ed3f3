package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.PercentDecoder;
import io.javalin.http.Context;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/** An HTTP request, with the parts that this server uses. */
final class HttpRequest {
    private static final int MAX_PARAMETERS = 1_000;

    private final HttpServletRequest request;
    private final String cookieName;

    HttpRequest(Context context, String cookieName) {
        this.request = context.req();
        this.cookieName = cookieName;
    }

    /** Returns the method; GET for HEAD, whose body is not sent. */
    String method() {
        return request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    }

    boolean isRead() {
        return method().equals("GET");
    }

    /** Returns true if the client can read an endless response, which a HEAD request cannot. */
    boolean isStream() {
        return request.getMethod().equals("GET");
    }

    /** Returns the path as it was sent, percent-encoded. */
    String path() {
        return request.getRequestURI();
    }

    String localAddress() {
        return request.getLocalAddr();
    }

    String remoteAddress() {
        return request.getRemoteAddr();
    }

    /** Returns true if the client uses TLS, even if a proxy ends it: the browser's Origin tells. */
    boolean isEncrypted() {
        return request.isSecure() || String.valueOf(header("Origin")).startsWith("https://");
    }

    @Nullable
    String header(String name) {
        return request.getHeader(name);
    }

    Optional<String> cookie() {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(cookieName))
                        .map(Cookie::getValue)
                        .findFirst();
    }

    Map<String, List<String>> query() {
        Map<String, List<String>> query = new LinkedHashMap<>();
        String text = request.getQueryString();
        if (text == null || text.isEmpty()) {
            return query;
        }
        String[] parts = text.split("&", MAX_PARAMETERS);
        for (String part : parts) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            if (!part.isEmpty()) {
                query.computeIfAbsent(decoded(name), key -> new ArrayList<>()).add(decoded(value));
            }
        }
        return query;
    }

    private static String decoded(String part) {
        try {
            return PercentDecoder.decode(part.replace('+', ' '));
        } catch (IllegalArgumentException malformed) {
            throw RequestRefused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected parameters in percent-encoded UTF-8, but they are malformed. Encode them.");
        }
    }

    /**
     * Reads the body.
     *
     * @throws RequestRefused 400 if it takes longer than {@code timeout}, 413 if it is too large, 415 if it is not JSON
     */
    byte[] body(int max, Duration timeout) {
        if (request.getContentLengthLong() > max) {
            throw tooLarge(max);
        }
        byte[] body = readInTime(max, timeout);
        String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
        if (body.length > 0 && !type.matches("application/json( *;.*)?")) {
            throw RequestRefused.with(
                    415,
                    ErrorCode.NOT_JSON,
                    "Expected a body with Content-Type: application/json, but it has another.");
        }
        return body;
    }

    /** Reads with the connection's idle timeout set, which ends the read if nothing arrives. */
    private byte[] readInTime(int max, Duration timeout) {
        EndPoint connection = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
        long before = connection.getIdleTimeout();
        connection.setIdleTimeout(Math.min(before, timeout.toMillis()));
        try {
            return read(max, timeout);
        } finally {
            connection.setIdleTimeout(before);
        }
    }

    private byte[] read(int max, Duration timeout) {
        try {
            byte[] body = BodyReader.read(request.getInputStream(), max, timeout, System::nanoTime);
            if (body.length > max) {
                throw tooLarge(max);
            }
            return body;
        } catch (IOException gone) {
            throw RequestRefused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected a whole body within " + timeout.toSeconds()
                            + " seconds, but it ended before or took longer. Send it again.");
        }
    }

    private static RequestRefused tooLarge(int max) {
        return RequestRefused.with(
                413,
                ErrorCode.REQUEST_TOO_LARGE,
                "Expected a request of at most " + max + " bytes, but it is larger. Keep large data elsewhere.");
    }
}
