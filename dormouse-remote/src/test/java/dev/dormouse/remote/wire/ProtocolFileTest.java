package dev.dormouse.remote.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.dormouse.remote.v1.ClaimProto;
import dev.dormouse.remote.v1.EventProto;
import dev.dormouse.remote.v1.PageProto;
import dev.dormouse.remote.v1.RunProto;
import dev.dormouse.remote.v1.StoreProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The fields and calls of the protocol, compared with a file. So a change of the protocol is a diff that a reviewer sees.
 * Once the protocol is released, lines may be added, but never changed or removed. {@code -Dprotocol.update} writes the
 * file.
 */
class ProtocolFileTest {
    private static final Path FILE = Path.of("src/test/resources/protocol.txt");

    @Test
    void protocolIsTheOneOfTheFile() throws IOException {
        List<String> present = Stream.of(
                        ClaimProto.getDescriptor(),
                        EventProto.getDescriptor(),
                        PageProto.getDescriptor(),
                        RunProto.getDescriptor(),
                        StoreProto.getDescriptor())
                .flatMap(ProtocolFileTest::lines)
                .toList();
        if (System.getProperty("protocol.update") != null) {
            Files.write(FILE, present);
        }
        assertThat(present).containsExactlyElementsOf(Files.readAllLines(FILE));
    }

    private static Stream<String> lines(FileDescriptor file) {
        return Stream.of(
                        file.getEnumTypes().stream().flatMap(ProtocolFileTest::values),
                        file.getMessageTypes().stream().flatMap(ProtocolFileTest::fields),
                        file.getServices().stream().flatMap(ProtocolFileTest::calls))
                .flatMap(lines -> lines);
    }

    private static Stream<String> values(EnumDescriptor type) {
        return type.getValues().stream().map(value -> value.getName() + " = " + value.getNumber());
    }

    private static Stream<String> fields(Descriptor type) {
        return type.getFields().stream()
                .map(field -> field.getFullName() + " = " + field.getNumber() + ": " + kind(field));
    }

    private static String kind(FieldDescriptor field) {
        String type = switch (field.getJavaType()) {
            case MESSAGE -> field.getMessageType().getName();
            case ENUM -> field.getEnumType().getName();
            default -> field.getType().name().toLowerCase(Locale.ROOT);
        };
        if (field.isRepeated()) {
            return "repeated " + type;
        }
        return field.hasPresence() && field.getJavaType() != FieldDescriptor.JavaType.MESSAGE
                ? "optional " + type
                : type;
    }

    private static Stream<String> calls(ServiceDescriptor service) {
        return service.getMethods().stream()
                .map(method ->
                        method.getFullName() + "(" + method.getInputType().getName() + ") returns "
                                + (method.isServerStreaming() ? "stream " : "")
                                + method.getOutputType().getName());
    }
}
