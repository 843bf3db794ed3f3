/** Read-only queries for dashboards and metrics. */
@NullMarked
package dev.dormouse.store.page;

import org.jspecify.annotations.NullMarked;
