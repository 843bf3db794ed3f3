/** Types that all parts of a store share: instants, shards, exceptions, nodes and notices. */
@NullMarked
package dev.dormouse.store.base;

import org.jspecify.annotations.NullMarked;
