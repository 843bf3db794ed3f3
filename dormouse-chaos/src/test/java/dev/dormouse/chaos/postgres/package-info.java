/** A PostgreSQL server that can be stopped and crashed, and a proxy that loses its answers. */
@NullMarked
package dev.dormouse.chaos.postgres;

import org.jspecify.annotations.NullMarked;
