package dev.dormouse.cli.api;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The API of a server. It uses {@link HttpURLConnection}, because loading {@code java.net.http} takes half a second, longer
 * than the rest of a command.
 */
final class HttpApi implements ApiClient {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration READ = Duration.ofSeconds(90);

    static {
        System.setProperty("sun.net.http.retryPost", "false"); // a change must not be sent twice
    }

    private final URI server;
    private final String token;
    private final String advice;

    /**
     * @param token empty for none
     * @param advice what to do if the server does not respond
     */
    HttpApi(URI server, String token, String advice) {
        this.server = server;
        this.token = token;
        this.advice = advice;
    }

    /** Parses the URL of a server. Throws if it is not an HTTP URL or contains a user or a query. */
    static URI server(String text) {
        try {
            URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (isHttp && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw CommandFailed.usage("Expected the URL of a server such as http://127.0.0.1:7070, but got '"
                + text.replaceAll("//[^/@]*@", "//***@")
                + "'. Put a token into a file (--token-file) or into the variable DORMOUSE_TOKEN.");
    }

    @Override
    public ApiResult call(String method, ApiPath path, @Nullable JsonNode body) {
        try {
            return exchange(method, path, body);
        } catch (SocketTimeoutException e) {
            throw failed(ExitCode.NOT_REACHABLE, "it did not respond in time", e);
        } catch (ConnectException e) {
            throw failed(ExitCode.NOT_REACHABLE, "nothing listens there", e);
        } catch (UnknownHostException e) {
            throw failed(ExitCode.NOT_REACHABLE, "the host name is unknown", e);
        } catch (IOException e) {
            throw failed(ExitCode.NOT_REACHABLE, "the connection failed (" + e.getMessage() + ")", e);
        }
    }

    private CommandFailed failed(ExitCode code, String finding, IOException cause) {
        return new CommandFailed(
                code, "Expected a Dormouse server at " + server + ", but " + finding + ". " + advice, cause);
    }

    private ApiResult exchange(String method, ApiPath path, @Nullable JsonNode body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(server + path.text()).toURL().openConnection();
        try {
            connection.setRequestMethod(method);
            connection.setInstanceFollowRedirects(false);
            connection.setConnectTimeout((int) CONNECT.toMillis());
            connection.setReadTimeout((int) READ.toMillis());
            setHeaders(connection, body != null);
            if (body != null) {
                write(connection, body);
            }
            return new ApiResult(connection.getResponseCode(), read(connection), server.toString());
        } finally {
            connection.disconnect();
        }
    }

    private void setHeaders(HttpURLConnection connection, boolean hasBody) {
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("X-Dormouse-Csrf", "1");
        if (!token.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        if (hasBody) {
            connection.setRequestProperty("Content-Type", "application/json");
        }
    }

    /** Sends the body without a fixed length. With one, Java's client fails on status 401 and hides the response. */
    private static void write(HttpURLConnection connection, JsonNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(bytes);
        }
    }

    private static byte[] read(HttpURLConnection connection) throws IOException {
        InputStream stream =
                connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream();
        if (stream == null) {
            return new byte[0];
        }
        try (stream) {
            return stream.readAllBytes();
        }
    }

    @Override
    public void close() {
        // each call closes its connection
    }
}
