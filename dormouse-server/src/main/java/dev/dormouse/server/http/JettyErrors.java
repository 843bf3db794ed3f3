package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.ApiResponse;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The answers to requests that Jetty itself refuses, such as malformed URIs, with the usual error body. */
final class JettyErrors implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        ApiResponse answer = status >= 500
                ? ApiResponse.refusal(status, ErrorCode.SERVER_FAILED, "Expected an answer, but the server failed.")
                : ApiResponse.refusal(
                        status, ErrorCode.BAD_REQUEST, "Expected a valid HTTP request, but it is malformed.");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
        return true;
    }
}
