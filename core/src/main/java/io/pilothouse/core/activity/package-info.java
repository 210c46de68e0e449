/** The line that every change leaves. */
@NullMarked
package io.pilothouse.core.activity;

import org.jspecify.annotations.NullMarked;
