package dev.dormouse.lint;

import dev.dormouse.lint.CodeUse.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A scanner of class files. Calls of the JDK that break no rule are left out, so that a jar with thousands of classes
 * needs little memory.
 */
final class ClassScanner {
    private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> activityInterfaces;

    /**
     * Creates a scanner.
     *
     * @param activityInterfaces receives the interfaces that the code passes to {@code activities(…)}
     */
    ClassScanner(Set<String> activityInterfaces) {
        this.activityInterfaces = activityInterfaces;
    }

    /**
     * Reads a class file.
     *
     * @throws RuntimeException if it is damaged, is not a class file, or is of an unknown version
     */
    ScannedClass scan(byte[] file) {
        ClassReader reader = new ClassReader(file);
        List<String> interfaces = new ArrayList<>();
        for (String name : reader.getInterfaces()) {
            interfaces.add(shared(name));
        }
        ScannedClass scanned =
                new ScannedClass(shared(reader.getClassName()), reader.getAccess(), reader.getSuperName(), interfaces);
        reader.accept(new Members(scanned), ClassReader.SKIP_FRAMES);
        return scanned;
    }

    private String shared(String text) {
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    /** The annotations, fields and methods of a class. */
    private final class Members extends ClassVisitor {
        private final ScannedClass scanned;

        Members(ScannedClass scanned) {
            super(Opcodes.ASM9);
            this.scanned = scanned;
        }

        @Override
        public void visitSource(@Nullable String source, @Nullable String debug) {
            if (source != null) {
                scanned.file(source);
            }
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            if (descriptor.equals(DormouseNames.WORKFLOW_INTERFACE)) {
                scanned.markWorkflowInterface();
            } else if (descriptor.equals(DormouseNames.ACTIVITY_INTERFACE)) {
                scanned.markActivityInterface();
            }
            return null;
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            if ((access & Opcodes.ACC_STATIC) != 0) {
                scanned.addStaticField(shared(name), access);
            }
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            ScannedMethod method = new ScannedMethod(scanned, shared(name), access);
            scanned.add(shared(name + descriptor), method);
            return new Code(scanned, method);
        }
    }

    /** The instructions of a method. */
    private final class Code extends MethodVisitor {
        private final ScannedClass scanned;
        private final ScannedMethod method;
        private final List<String> classConstants = new ArrayList<>();
        private int line;

        Code(ScannedClass scanned, ScannedMethod method) {
            super(Opcodes.ASM9);
            this.scanned = scanned;
            this.method = method;
        }

        @Override
        public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            if (DormouseNames.isWorkflowMethod(descriptor)) {
                method.mark();
            }
            return null;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                classConstants.add(type.getInternalName());
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW && !ForbiddenCalls.isJdk(type)) {
                method.add(use(Kind.CREATE, type, "", ""));
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            boolean isWrite = opcode == Opcodes.PUTSTATIC;
            if ((isWrite || opcode == Opcodes.GETSTATIC)
                    && (!ForbiddenCalls.isJdk(owner) || ForbiddenCalls.isStandardInput(owner, name))) {
                method.add(use(isWrite ? Kind.WRITE_STATIC : Kind.READ_STATIC, owner, name, ""));
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (DormouseNames.takesActivityInterface(owner, name, descriptor)) {
                activityInterfaces.addAll(classConstants);
                classConstants.clear();
            }
            boolean isVirtual = opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE;
            call(isVirtual, owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            if (!bootstrap.getOwner().equals(LAMBDAS)
                    || arguments.length < 2
                    || !(arguments[1] instanceof Handle body)) {
                return;
            }
            String type = Type.getReturnType(descriptor).getInternalName();
            boolean isVirtual = body.getTag() == Opcodes.H_INVOKEVIRTUAL || body.getTag() == Opcodes.H_INVOKEINTERFACE;
            if (type.equals(DormouseNames.WORKFLOW_FUNCTION)) {
                scanned.addWorkflowFunction(use(kind(isVirtual), body.getOwner(), body.getName(), body.getDesc()));
            } else if (!DormouseNames.isStep(type)) {
                call(isVirtual, body.getOwner(), body.getName(), body.getDesc());
            }
        }

        private void call(boolean isVirtual, String owner, String name, String descriptor) {
            boolean isArray = owner.startsWith("[");
            if (!isArray
                    && (!ForbiddenCalls.isJdk(owner)
                            || ForbiddenCalls.rule(owner, name, descriptor).isPresent())) {
                method.add(use(kind(isVirtual), owner, name, descriptor));
            }
        }

        private CodeUse use(Kind kind, String owner, String name, String descriptor) {
            return new CodeUse(kind, shared(owner), shared(name), shared(descriptor), line);
        }
    }

    private static Kind kind(boolean isVirtual) {
        return isVirtual ? Kind.CALL_VIRTUAL : Kind.CALL_EXACT;
    }
}
