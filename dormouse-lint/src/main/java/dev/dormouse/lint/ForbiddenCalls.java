package dev.dormouse.lint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The methods of the JDK that break a rule. Methods that only compute, such as {@code URI.create} or a {@code Random}
 * with a seed, are not in the table.
 */
final class ForbiddenCalls {

    /**
     * Lines with a rule, a class (an asterisk stands for any class of the JDK) and its methods: a name, a name with an
     * asterisk at one end, or a name with the beginning of its types.
     */
    private static final String TABLE = """
            CLOCK java/lang/System currentTimeMillis nanoTime
            CLOCK java/time/Instant now
            CLOCK java/time/InstantSource system instant millis
            CLOCK java/time/Clock system* tick* instant millis
            CLOCK java/time/LocalDate now
            CLOCK java/time/LocalTime now
            CLOCK java/time/LocalDateTime now
            CLOCK java/time/ZonedDateTime now
            CLOCK java/time/OffsetDateTime now
            CLOCK java/time/OffsetTime now
            CLOCK java/time/Year now
            CLOCK java/time/YearMonth now
            CLOCK java/time/MonthDay now
            CLOCK java/time/chrono/Chronology dateNow
            CLOCK java/time/chrono/HijrahDate now
            CLOCK java/time/chrono/JapaneseDate now
            CLOCK java/time/chrono/MinguoDate now
            CLOCK java/time/chrono/ThaiBuddhistDate now
            CLOCK java/util/Date <init>()
            CLOCK java/util/Calendar getInstance
            CLOCK java/util/GregorianCalendar <init>() <init>(Ljava

            RANDOM java/lang/Math random
            RANDOM java/lang/StrictMath random
            RANDOM java/util/Random <init>()
            RANDOM java/util/SplittableRandom <init>()
            RANDOM java/util/UUID randomUUID
            RANDOM java/util/Collections shuffle(Ljava/util/List;)
            RANDOM java/util/concurrent/ThreadLocalRandom *
            RANDOM java/util/random/RandomGenerator of getDefault
            RANDOM java/util/random/RandomGeneratorFactory create()
            RANDOM java/security/SecureRandom *
            RANDOM java/security/KeyPairGenerator generateKeyPair genKeyPair
            RANDOM javax/crypto/KeyGenerator generateKey

            THREAD java/lang/Thread <init> sleep start join startVirtualThread ofVirtual ofPlatform onSpinWait yield
            THREAD java/lang/Object wait notify notifyAll
            THREAD java/util/Timer *
            THREAD java/util/Arrays parallel*
            THREAD * parallelStream
            THREAD java/util/stream/BaseStream parallel
            THREAD java/util/stream/Stream parallel
            THREAD java/util/stream/IntStream parallel
            THREAD java/util/stream/LongStream parallel
            THREAD java/util/stream/DoubleStream parallel
            THREAD java/util/concurrent/TimeUnit sleep timedWait timedJoin
            THREAD java/util/concurrent/Executor *
            THREAD java/util/concurrent/Executors *
            THREAD java/util/concurrent/ExecutorService *
            THREAD java/util/concurrent/ScheduledExecutorService *
            THREAD java/util/concurrent/ThreadPoolExecutor *
            THREAD java/util/concurrent/ScheduledThreadPoolExecutor *
            THREAD java/util/concurrent/ExecutorCompletionService *
            THREAD java/util/concurrent/CompletionService *
            THREAD java/util/concurrent/ForkJoinPool *
            THREAD java/util/concurrent/ForkJoinTask fork join invoke* get
            THREAD java/util/concurrent/RecursiveTask fork join invoke* get
            THREAD java/util/concurrent/RecursiveAction fork join invoke* get
            THREAD java/util/concurrent/StructuredTaskScope *
            THREAD java/util/concurrent/Future get
            THREAD java/util/concurrent/FutureTask get
            THREAD java/util/concurrent/CompletableFuture *Async get join orTimeout completeOnTimeout delayedExecutor
            THREAD java/util/concurrent/CompletionStage *Async
            THREAD java/util/concurrent/CountDownLatch await
            THREAD java/util/concurrent/CyclicBarrier await
            THREAD java/util/concurrent/Phaser await* arriveAndAwaitAdvance
            THREAD java/util/concurrent/Exchanger exchange
            THREAD java/util/concurrent/Semaphore acquire* tryAcquire
            THREAD java/util/concurrent/BlockingQueue put take poll(J offer(Ljava/lang/Object;J
            THREAD java/util/concurrent/BlockingDeque put* take* poll(J pollFirst(J pollLast(J offer(Ljava/lang/Object;J
            THREAD java/util/concurrent/ArrayBlockingQueue put take poll(J offer(Ljava/lang/Object;J
            THREAD java/util/concurrent/LinkedBlockingQueue put take poll(J offer(Ljava/lang/Object;J
            THREAD java/util/concurrent/LinkedBlockingDeque put* take* poll(J pollFirst(J pollLast(J offer(Ljava/lang/Object;J
            THREAD java/util/concurrent/PriorityBlockingQueue take poll(J
            THREAD java/util/concurrent/DelayQueue take poll
            THREAD java/util/concurrent/SynchronousQueue put take poll offer
            THREAD java/util/concurrent/TransferQueue put take poll(J transfer tryTransfer
            THREAD java/util/concurrent/LinkedTransferQueue take poll(J transfer tryTransfer
            THREAD java/util/concurrent/locks/Lock lock lockInterruptibly tryLock
            THREAD java/util/concurrent/locks/ReentrantLock lock lockInterruptibly tryLock
            THREAD java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock lock lockInterruptibly tryLock
            THREAD java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock lock lockInterruptibly tryLock
            THREAD java/util/concurrent/locks/StampedLock readLock* writeLock* tryReadLock tryWriteLock
            THREAD java/util/concurrent/locks/Condition await*
            THREAD java/util/concurrent/locks/LockSupport park*

            IO java/io/File can* create* delete* exists getCanonical* getFreeSpace getTotalSpace getUsableSpace
            IO java/io/File is* lastModified length list* mkdir* renameTo set*
            IO java/io/FileInputStream *
            IO java/io/FileOutputStream *
            IO java/io/FileReader *
            IO java/io/FileWriter *
            IO java/io/RandomAccessFile *
            IO java/io/Console *
            IO java/io/PrintStream <init>(Ljava/io/File; <init>(Ljava/lang/String;
            IO java/io/PrintWriter <init>(Ljava/io/File; <init>(Ljava/lang/String;
            IO java/util/Formatter <init>(Ljava/io/File; <init>(Ljava/lang/String;
            IO java/util/Scanner <init>(Ljava/io/File; <init>(Ljava/nio/file/Path;
            IO java/util/zip/ZipFile <init>
            IO java/util/jar/JarFile <init>
            IO java/lang/System console
            IO java/lang/Runtime exec
            IO java/lang/ProcessBuilder start startPipeline
            IO java/lang/Process *
            IO java/nio/file/Files *
            IO java/nio/file/Path toRealPath register
            IO java/nio/channels/FileChannel *
            IO java/nio/channels/AsynchronousFileChannel *
            IO java/nio/channels/SocketChannel *
            IO java/nio/channels/ServerSocketChannel *
            IO java/nio/channels/DatagramChannel *
            IO java/nio/channels/AsynchronousSocketChannel *
            IO java/nio/channels/AsynchronousServerSocketChannel *
            IO java/nio/channels/Selector *
            IO java/net/URL openStream openConnection getContent
            IO java/net/URLConnection *
            IO java/net/HttpURLConnection *
            IO java/net/JarURLConnection *
            IO java/net/Socket *
            IO java/net/ServerSocket *
            IO java/net/DatagramSocket *
            IO java/net/MulticastSocket *
            IO java/net/InetAddress get*Name getLocalHost isReachable
            IO java/net/NetworkInterface *
            IO java/net/http/HttpClient *
            IO java/net/http/WebSocket *
            IO javax/net/ssl/HttpsURLConnection *
            IO java/sql/DriverManager *
            IO java/sql/Connection *
            IO java/sql/Statement *
            IO java/sql/PreparedStatement *
            IO java/sql/CallableStatement *
            IO java/sql/ResultSet *
            IO java/sql/DatabaseMetaData *
            IO java/sql/Blob *
            IO java/sql/Clob *
            IO javax/sql/DataSource *
            IO javax/sql/XADataSource *
            IO javax/sql/RowSet *
            IO javax/sql/ConnectionPoolDataSource *

            ENVIRONMENT java/lang/System getenv getProperty getProperties
            ENVIRONMENT java/lang/Boolean getBoolean
            ENVIRONMENT java/lang/Integer getInteger
            ENVIRONMENT java/lang/Long getLong
            ENVIRONMENT java/lang/Runtime availableProcessors freeMemory maxMemory totalMemory
            ENVIRONMENT java/lang/ProcessHandle current pid
            ENVIRONMENT java/time/ZoneId systemDefault
            ENVIRONMENT java/util/TimeZone getDefault
            ENVIRONMENT java/util/Locale getDefault

            IDENTITY_HASH java/lang/System identityHashCode
            """;

    private static final String ANY = "*";
    private static final Map<String, List<Entry>> BY_CLASS = parse();

    private ForbiddenCalls() {}

    /** Returns the rule that a call of this method breaks, or empty. */
    static Optional<Rule> rule(String owner, String name, String descriptor) {
        return Stream.of(owner, ANY)
                .filter(key -> isJdk(owner))
                .flatMap(key -> BY_CLASS.getOrDefault(key, List.of()).stream())
                .filter(entry -> entry.includes(name, descriptor))
                .map(Entry::rule)
                .findFirst();
    }

    /** Returns true for {@code System.in}, the only field that breaks a rule. */
    static boolean isStandardInput(String owner, String field) {
        return owner.equals("java/lang/System") && field.equals("in");
    }

    static boolean isJdk(String owner) {
        return owner.startsWith("java/") || owner.startsWith("javax/");
    }

    private static Map<String, List<Entry>> parse() {
        Map<String, List<Entry>> entries = new HashMap<>();
        TABLE.lines().filter(line -> !line.isEmpty()).forEach(line -> {
            String[] words = line.split(" ");
            for (int i = 2; i < words.length; i++) {
                entries.computeIfAbsent(words[1], owner -> new ArrayList<>())
                        .add(new Entry(Rule.valueOf(words[0]), words[i]));
            }
        });
        return entries;
    }

    private record Entry(Rule rule, String pattern) {
        boolean includes(String name, String descriptor) {
            if (pattern.contains("(")) {
                return (name + descriptor).startsWith(pattern);
            }
            int star = pattern.indexOf('*');
            return star < 0
                    ? name.equals(pattern)
                    : name.startsWith(pattern.substring(0, star)) && name.endsWith(pattern.substring(star + 1));
        }
    }
}
