package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.error.RecordedException;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.view.AcceptedView;
import java.util.List;
import java.util.Optional;

/** Input that does not name a run: published events, and results of activities that were handed out. */
final class EventsApi {
    private static final String FAILURE = "dev.dormouse.server.ActivityFailed";

    private final Dormouse dormouse;

    EventsApi(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    List<Route> routes() {
        return List.of(
                Route.change("POST", "/events", Role.OPERATOR, this::publish),
                Route.change("POST", "/activities/{token}/complete", Role.OPERATOR, this::complete),
                Route.change("POST", "/activities/{token}/fail", Role.OPERATOR, this::fail));
    }

    private ApiResponse publish(Call call) {
        RequestBody body = call.body("name", "payload", "key");
        String name = body.text("name");
        Optional<String> key = body.optionalText("key");
        String id = key.isPresent()
                ? dormouse.publishOnce(key.get(), name, body.any("payload"))
                : dormouse.publish(name, body.any("payload"));
        return ApiResponse.of(202, new AcceptedView(id)).about(id);
    }

    private ApiResponse complete(Call call) {
        dormouse.completeActivity(call.value("token"), call.body("result").any("result"));
        return ApiResponse.of(202, new AcceptedView(call.value("token")));
    }

    private ApiResponse fail(Call call) {
        String message = call.body("message").text("message");
        dormouse.failActivity(call.value("token"), new RecordedException(FAILURE, message, "", null));
        return ApiResponse.of(202, new AcceptedView(call.value("token")));
    }
}
