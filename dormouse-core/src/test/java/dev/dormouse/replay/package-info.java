/** Tests of replay of workflow code: determinism, eviction, code changes and type changes. */
package dev.dormouse.replay;
