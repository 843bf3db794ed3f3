package dev.dormouse.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.dormouse.error.DormouseException;
import dev.dormouse.lint.fixtures.Job;
import dev.dormouse.lint.fixtures.Pitfalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/** Jars with damaged, foreign or repeated content. */
@Timeout(60)
class HostileJarTest {
    private static final String SLEEP = name(Pitfalls.Sleep.class);
    private static final String JOB = name(Job.class);

    @TempDir
    private Path folder;

    private Path jar;

    @BeforeEach
    void nameJar() {
        jar = folder.resolve("app.jar");
    }

    @Test
    void damagedClassIsAFindingAndTheOthersAreChecked() throws IOException {
        byte[] good = bytes(Pitfalls.Sleep.class);
        byte[] future = bytes(Pitfalls.Millis.class);
        future[7] = 99;
        write(
                jar,
                new Content("a/Truncated.class", Arrays.copyOf(good, good.length / 2)),
                new Content("a/Empty.class", new byte[0]),
                new Content("a/Text.class", "not a class".getBytes(StandardCharsets.UTF_8)),
                new Content("a/Future.class", future),
                new Content(JOB, bytes(Job.class)),
                new Content(SLEEP, good));

        assertThat(WorkflowLint.of(jar).findings())
                .extracting(Finding::rule, Finding::className)
                .containsExactlyInAnyOrder(
                        tuple(Rule.UNREADABLE, "a/Truncated.class"),
                        tuple(Rule.UNREADABLE, "a/Empty.class"),
                        tuple(Rule.UNREADABLE, "a/Text.class"),
                        tuple(Rule.UNREADABLE, "a/Future.class"),
                        tuple(Rule.THREAD, Pitfalls.Sleep.class.getName()));
        assertThat(WorkflowLint.of(jar).accept("UNREADABLE:a/*").findings()).hasSize(1);
        assertThatThrownBy(() -> WorkflowLint.of(jar).accept("THREAD:*").check())
                .hasMessageContaining("a/Truncated.class: error UNREADABLE: it is not a class file")
                .hasMessageContaining("Unsupported class file major version 99");
    }

    @Test
    void hugeClassIsNotUnpacked() throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("a/Huge.class"));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                zip.write(zeros);
            }
        }

        assertThat(WorkflowLint.of(jar).findings())
                .extracting(Finding::found)
                .containsExactly("it is larger than 16 MiB");
    }

    @Test
    void firstOfTwoClassesWithTheSameNameCounts() throws IOException {
        Path second = folder.resolve("second.jar");
        write(jar, new Content(JOB, bytes(Job.class)), new Content("a/One.class", bytes(Pitfalls.Sleep.class)));
        write(second, new Content("b/Two.class", bytes(Pitfalls.Sleep.class)), new Content(JOB, bytes(Job.class)));
        repeatEntry(jar, "a/One.class", bytes(Pitfalls.Sleep.class));

        assertThat(WorkflowLint.of(jar, second, jar).findings())
                .extracting(Finding::className)
                .containsExactly(Pitfalls.Sleep.class.getName());
    }

    @Test
    void classWithoutDebugInformationHasNoLine() throws IOException {
        ClassWriter bare = new ClassWriter(0);
        new ClassReader(bytes(Pitfalls.Sleep.class)).accept(bare, ClassReader.SKIP_DEBUG);
        write(jar, new Content(JOB, bytes(Job.class)), new Content(SLEEP, bare.toByteArray()));

        assertThat(WorkflowLint.of(jar).findings())
                .extracting(Finding::location, Finding::line)
                .containsExactly(tuple(Pitfalls.Sleep.class.getName() + ".run", 0));
    }

    @Test
    void randomDamageNeverEscapes() throws IOException {
        byte[] good = bytes(Pitfalls.UuidReference.class);
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = good.clone();
            for (int flips = 0; flips < 3; flips++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            write(jar, new Content(JOB, bytes(Job.class)), new Content("a/A.class", damaged));
            assertThat(WorkflowLint.of(jar).findings()).hasSizeLessThan(5);
        }
    }

    @Test
    void classThatExtendsItselfIsRead() throws IOException {
        ClassWriter self = new ClassWriter(0);
        self.visit(61, 1, "a/Self", null, "a/Self", new String[] {"a/Self", JOB.replace(".class", "")});
        self.visitEnd();
        write(jar, new Content(JOB, bytes(Job.class)), new Content("a/Self.class", self.toByteArray()));

        assertThat(WorkflowLint.of(jar).findings()).isEmpty();
        assertThat(WorkflowLint.of(jar).workflows()).containsExactly("a.Self");
    }

    @Test
    void jarWithoutWorkflowsHasNothingToCheck() throws IOException {
        write(jar, new Content("a/HostileJarTest.class", bytes(HostileJarTest.class)));

        assertThat(WorkflowLint.of(jar).findings()).isEmpty();
        assertThat(WorkflowLint.of(jar).workflows()).isEmpty();
        assertThatThrownBy(() -> WorkflowLint.of(jar).check())
                .isInstanceOf(DormouseException.class)
                .hasMessageStartingWith("[DM1012] Expected workflow code to check, but ");
    }

    @Test
    void fileThatIsNotAJarIsRefused() throws IOException {
        Files.writeString(jar, "not a jar");
        assertRefused();
        Files.write(jar, new byte[0]);
        assertRefused();
        write(jar, new Content("readme.txt", new byte[0]), new Content("META-INF/versions/17/A.class", new byte[0]));
        assertRefused();
    }

    private void assertRefused() {
        assertThatThrownBy(() -> WorkflowLint.of(jar))
                .isInstanceOf(DormouseException.class)
                .hasMessageStartingWith("[DM1012] Expected " + jar + " to be a jar or a folder of classes, but it ");
    }

    private static void write(Path jar, Content... entries) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Content entry : entries) {
                zip.putNextEntry(new ZipEntry(entry.name));
                zip.write(entry.bytes);
                zip.closeEntry();
            }
        }
    }

    /** Adds an entry under another name and then gives it the name of an existing one, which the library refuses to write. */
    private static void repeatEntry(Path jar, String name, byte[] content) throws IOException {
        String other = "x" + name.substring(1);
        write(jar, new Content(JOB, bytes(Job.class)), new Content(name, content), new Content(other, content));
        String latin = Files.readString(jar, StandardCharsets.ISO_8859_1).replace(other, name);
        try (OutputStream out = Files.newOutputStream(jar)) {
            out.write(latin.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream("/" + name(type))) {
            return in.readAllBytes();
        }
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    private record Content(String name, byte[] bytes) {}
}
