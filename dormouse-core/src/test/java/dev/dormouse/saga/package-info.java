/** Tests of sagas and compensations. */
package dev.dormouse.saga;
