/** Tests of child workflows. */
package dev.dormouse.child;
