package dev.dormouse.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends requests that a regular HTTP client would refuse to send. */
final class RawHttp {
    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    /**
     * Sends a request and returns the whole response.
     *
     * @param head the request line and headers, without Connection, each line without its end
     */
    String send(String body, String... head) {
        return sendAsItIs(String.join("\r\n", head) + "\r\nConnection: close\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    /** Sends a whole request as it is and returns the whole response. */
    String sendAsItIs(String text) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** Returns the first line of the response; for requests after which the connection stays open. */
    String firstLine(String text) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    static int status(String response) {
        return response.startsWith("HTTP/1.1 ") ? Integer.parseInt(response.substring(9, 12)) : -1;
    }
}
