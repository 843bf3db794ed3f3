/** Fixtures that tests of several packages share. Not one of Dormouse's own packages: errors name lines of its workflows. */
package dev.dormouse.support;
