/** What operators of an emulator may do with the organizations of all: an organization for each test. */
@NullMarked
package io.pilothouse.core.emulator;

import org.jspecify.annotations.NullMarked;
