package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The checked-in OpenAPI document matches the API. Regenerate it with -Dopenapi.write=true. */
public class OpenApiTest {
    private static final String FILE = "/dev/dormouse/server/openapi.json";

    /** Returns the checked-in document. */
    public static String document() {
        try (InputStream in = Objects.requireNonNull(OpenApiTest.class.getResourceAsStream(FILE))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @Test
    void documentMatchesRoutesAndResponseRecords() throws IOException {
        try (Dormouse dormouse = Dormouse.builder().store("sqlite::memory:").open()) {
            String made = OpenApiDocument.of(new Api(dormouse, null, false).router());
            if (Boolean.getBoolean("openapi.write")) {
                Files.writeString(Path.of("src/main/resources" + FILE), made);
            } else {
                assertThat(document()).isEqualTo(made);
            }
        }
    }
}
