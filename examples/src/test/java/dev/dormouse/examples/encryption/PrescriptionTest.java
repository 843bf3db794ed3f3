package dev.dormouse.examples.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.testing.TestDormouse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PrescriptionTest {
    private static final SecretKey OLD = key(1);
    private static final SecretKey NEW = key(2);

    private static SecretKey key(int content) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) content);
        return new SecretKeySpec(bytes, "AES");
    }

    private static DormouseBuilder with(DormouseBuilder builder, Map<String, SecretKey> keys, String current) {
        return builder.codec(new EncryptingCodec(keys, current))
                .workflow(Prescription.class, PrescriptionWorkflow::new);
    }

    @Test
    void openRunSurvivesANewKeyAndWaitsForTheOldOneWhereItIsMissing() {
        try (TestDormouse test = TestDormouse.open(builder -> with(builder, Map.of("old", OLD), "old"))) {
            Prescription prescription = test.dormouse().workflow(Prescription.class, "p");
            test.dormouse().start(() -> prescription.dispense("ada", "aspirin", Duration.ofDays(3)));
            test.advance(Duration.ofDays(1));

            test.restart(builder -> with(builder, Map.of("new", NEW), "new"));
            test.advance(Duration.ofDays(3));
            RunDescription run = test.dormouse().handle("p").describe();
            assertThat(run.status()).isEqualTo(RunStatus.STUCK);
            assertThat(run.trouble()).contains("Expected key 'old' to decrypt a value");

            test.restart(builder -> with(builder, Map.of("old", OLD, "new", NEW), "new"));
            assertThat(test.dormouse().handle("p", String.class).result())
                    .isEqualTo("ada received a parcel with aspirin");
        }
    }

    @Test
    void fileContainsNoContent(@TempDir Path directory) throws IOException {
        try (Dormouse dormouse = with(Dormouse.builder(), Map.of("k", OLD), "k")
                .store("sqlite:" + directory.resolve("p.db"))
                .open()) {
            dormouse.workflow(Prescription.class, "prescription-1").dispense("ada", "aspirin", Duration.ZERO);
        }
        try (Stream<Path> files = Files.list(directory)) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
            assertThat(all).contains("prescription-1").doesNotContain("aspirin");
        }
    }
}
