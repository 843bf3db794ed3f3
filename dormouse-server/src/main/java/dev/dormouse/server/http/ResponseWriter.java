package dev.dormouse.server.http;

import dev.dormouse.server.api.ApiResponse;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A writer of responses that holds no thread: a client that does not read its response holds only its connection, until
 * the idle timeout.
 *
 * <p>One thread at a time calls each instance, as the servlet container guarantees for write listeners.
 */
final class ResponseWriter implements WriteListener {
    private static final int SMALL = 1_500;
    private static final int PART = 16 << 10;
    private static final int NOT_MODIFIED = 304;

    private final ServletOutputStream out;
    private final byte[] body;
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private int position;

    private ResponseWriter(ServletOutputStream out, byte[] body) {
        this.out = out;
        this.body = body;
    }

    /** Writes {@code response} after the handler has returned. */
    static void write(Context context, ApiResponse response) {
        HttpServletResponse answer = context.res();
        answer.setStatus(response.status());
        answer.setContentType(response.contentType());
        response.headers().forEach(answer::setHeader);
        byte[] body = response.body();
        if (body.length > SMALL) {
            answer.setHeader("Vary", "Accept-Encoding");
            if (acceptsGzip(context.req().getHeader("Accept-Encoding"))) {
                answer.setHeader("Content-Encoding", "gzip");
                body = zipped(body);
            }
        }
        if (response.status() != NOT_MODIFIED) {
            answer.setContentLength(body.length);
        }
        if (hasUnreadBody(context.req())) {
            answer.setHeader(
                    "Connection",
                    "close"); // Jetty closes it anyway, and the client must not send the next request on it
        }
        byte[] bytes = body;
        context.future(() -> start(answer, bytes));
    }

    private static boolean hasUnreadBody(HttpServletRequest request) {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        try {
            return hasBody && !request.getInputStream().isFinished();
        } catch (IOException | IllegalStateException unreadable) {
            return true;
        }
    }

    private static boolean acceptsGzip(@Nullable String header) {
        for (String encoding : header == null ? new String[0] : header.split(",")) {
            String[] parts = encoding.strip().split("\\s*;\\s*");
            if (parts[0].equalsIgnoreCase("gzip")) {
                return parts.length == 1 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    private static byte[] zipped(byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static CompletableFuture<Void> start(HttpServletResponse response, byte[] body) {
        try {
            ResponseWriter answer = new ResponseWriter(response.getOutputStream(), body);
            answer.out.setWriteListener(answer);
            return answer.written;
        } catch (IOException gone) {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void onWritePossible() throws IOException {
        while (out.isReady()) {
            if (position == body.length) {
                written.complete(null);
                return;
            }
            int length = Math.min(PART, body.length - position);
            out.write(body, position, length);
            position += length;
        }
    }

    /** Called when the client has left, or has read nothing for too long. */
    @Override
    public void onError(Throwable gone) {
        written.complete(null);
    }
}
