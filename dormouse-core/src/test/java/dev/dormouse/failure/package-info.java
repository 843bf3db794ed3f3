/** Tests of misbehaving exceptions, invalid calls and encrypted failures. */
package dev.dormouse.failure;
