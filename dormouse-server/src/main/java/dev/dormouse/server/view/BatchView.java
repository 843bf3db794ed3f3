package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of each. */
public record BatchView(List<Result> results) {

    public record Result(
            String id,
            boolean ok,
            @JsonInclude(JsonInclude.Include.NON_NULL) ErrorView.@Nullable Problem error) {}
}
