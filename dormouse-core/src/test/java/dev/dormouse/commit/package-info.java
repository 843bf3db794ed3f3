/** Tests of commits: their number, batches, deferred results, user transactions and runs kept in memory. */
package dev.dormouse.commit;
