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

/** A request as it came in. */
final class HttpRequest {
    private static final int MOST_PARAMETERS = 1_000;

    private final HttpServletRequest request;
    private final String cookieName;

    HttpRequest(Context context, String cookieName) {
        this.request = context.req();
        this.cookieName = cookieName;
    }

    /** HEAD is GET of which nobody sees the body. */
    String method() {
        return request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    }

    boolean isLook() {
        return method().equals("GET");
    }

    /** Whether it wants to read an answer without an end. */
    boolean isStream() {
        return request.getMethod().equals("GET");
    }

    /** As it was sent, percent signs and all. */
    String path() {
        return request.getRequestURI();
    }

    String localAddress() {
        return request.getLocalAddr();
    }

    String remoteAddress() {
        return request.getRemoteAddr();
    }

    /** Also where a proxy has TLS and this server has none: the browser says where its page comes from. */
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
        String[] parts = text.split("&", MOST_PARAMETERS);
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
                    "Expected parameters whose percent signs begin bytes of UTF-8, but they do not. Encode them.");
        }
    }

    /** @throws RequestRefused 400 for one that takes longer, 413 for one that is too large, 415 for one that is not JSON */
    byte[] body(int most, Duration longest) {
        if (request.getContentLengthLong() > most) {
            throw tooLarge(most);
        }
        byte[] body = readInTime(most, longest);
        String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
        if (body.length > 0 && !type.matches("application/json( *;.*)?")) {
            throw RequestRefused.with(
                    415,
                    ErrorCode.NOT_JSON,
                    "Expected a body with Content-Type: application/json, but it has another.");
        }
        return body;
    }

    /** The connection's idle timeout ends the read of a body of which nothing arrives. */
    private byte[] readInTime(int most, Duration longest) {
        EndPoint connection = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
        long before = connection.getIdleTimeout();
        connection.setIdleTimeout(Math.min(before, longest.toMillis()));
        try {
            return read(most, longest);
        } finally {
            connection.setIdleTimeout(before);
        }
    }

    private byte[] read(int most, Duration longest) {
        try {
            byte[] body = BodyReader.read(request.getInputStream(), most, longest, System::nanoTime);
            if (body.length > most) {
                throw tooLarge(most);
            }
            return body;
        } catch (IOException gone) {
            throw RequestRefused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected a whole body within " + longest.toSeconds()
                            + " seconds, but it ended before or took longer. Send it again.");
        }
    }

    private static RequestRefused tooLarge(int most) {
        return RequestRefused.with(
                413,
                ErrorCode.REQUEST_TOO_LARGE,
                "Expected a request of at most " + most + " bytes, but it is larger. Keep large data elsewhere.");
    }
}
