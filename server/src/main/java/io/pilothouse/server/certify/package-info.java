/** The command that certifies a Terraform module: every step that its users will take, against a fresh organization. */
@NullMarked
package io.pilothouse.server.certify;

import org.jspecify.annotations.NullMarked;
