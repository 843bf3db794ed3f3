package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.dormouse.server.api.OpenApiTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the guide, as they stand there. */
@Tag("process")
@Timeout(120)
class DocsTest {
    private static final Pattern EXAMPLE = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        Matcher matcher = EXAMPLE.matcher(Files.readString(Path.of("../docs/server.md")));
        while (matcher.find()) {
            examples.add(matcher.group(1));
        }
        return examples;
    }

    private static int run(String script, Path folder, String url, String token) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-e", "-c", script).redirectErrorStream(true);
        builder.environment().put("DORMOUSE", url);
        builder.environment().put("TOKEN", token);
        builder.environment().put("FOLDER", folder.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        System.out.println(output);
        return process.exitValue();
    }

    @Test
    void examplesWork() throws Exception {
        assumeTrue(hasCurl(), "needs curl and bash");
        assertThat(examples()).hasSizeGreaterThan(5);
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server =
                        DormouseServer.builder().dormouse(shop.dormouse).port(0).start()) {
            String file = Files.readString(folder.resolve("shop.db.server"));
            String token = ApiClient.MAPPER.readTree(file).get("token").asString();
            for (String example : examples()) {
                assertThat(run(example, folder, server.url(), token))
                        .as(example)
                        .isZero();
            }
        }
    }

    private boolean hasCurl() {
        try {
            return run("curl --version", folder, "", "") == 0;
        } catch (Exception none) {
            return false;
        }
    }

    @Test
    void everyPathOfTheApiIsInTheGuide() throws IOException {
        String guide = Files.readString(Path.of("../docs/server.md"));
        for (String path :
                ApiClient.MAPPER.readTree(OpenApiTest.document()).get("paths").propertyNames()) {
            String end = path.substring(path.lastIndexOf('/'));
            assertThat(guide).as(path).containsAnyOf("`" + path + "`", "…" + end + "`", path + "`");
        }
    }
}
