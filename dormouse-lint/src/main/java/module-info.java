/** A check of compiled workflow code for calls that a replay cannot repeat. */
module dev.dormouse.lint {
    requires transitive dev.dormouse.store;
    requires org.objectweb.asm;
    requires static transitive org.jspecify;

    exports dev.dormouse.lint;
}
