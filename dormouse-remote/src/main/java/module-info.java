import dev.dormouse.remote.RemoteStoreProvider;
import dev.dormouse.store.StoreProvider;

/** The store behind a Dormouse server, which {@code store("dormouse://HOST:PORT")} opens, and the server. */
module dev.dormouse.remote {
    requires com.google.common;
    requires com.google.protobuf;
    requires dev.dormouse.store;
    requires io.grpc;
    requires io.grpc.netty.shaded;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires jdk.unsupported; // Netty is slower without it
    requires org.slf4j;
    requires static transitive org.jspecify;

    provides StoreProvider with
            RemoteStoreProvider;
}
