package io.pilothouse.server.certify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.client.CommandRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleCopyTest {
    @TempDir
    Path folder;

    private ModuleCopy copied(Path module) throws CommandRefused, IOException {
        return ModuleCopy.of(module, folder.resolve("copy"));
    }

    private Path module(String text) throws IOException {
        Path module = Files.createDirectories(folder.resolve("all/examples/one"));
        Files.writeString(module.resolve("main.tf"), text);
        return module;
    }

    @Test
    void stateAndProvidersOfTheModuleStayWhereTheyAre() throws CommandRefused, IOException {
        Path module = module("locals {}");
        Files.writeString(module.resolve("terraform.tfstate"), "{}");
        Files.writeString(module.resolve("terraform.tfstate.backup"), "{}");
        Files.createDirectories(module.resolve(".terraform/providers"));
        Files.writeString(module.resolve("terraform.tfvars"), "a = 1");
        Path copy = copied(module).folder();
        assertThat(copy.resolve("main.tf")).exists();
        assertThat(copy.resolve("terraform.tfvars")).exists();
        assertThat(copy.resolve("terraform.tfstate")).doesNotExist();
        assertThat(copy.resolve("terraform.tfstate.backup")).doesNotExist();
        assertThat(copy.resolve(".terraform")).doesNotExist();
        try (var files = Files.list(module)) {
            assertThat(files).hasSize(5);
        }
    }

    @Test
    void exampleBringsTheModuleAboveItAlong() throws CommandRefused, IOException {
        Path module = module("module \"all\" {\n  source = \"../../\"\n}\n");
        Files.writeString(folder.resolve("all/main.tf"), "locals {}");
        assertThat(copied(module).folder().resolve("../../main.tf")).exists();
    }

    @Test
    void variablesAndWhatTheirValidationsListAreFound() throws CommandRefused, IOException {
        ModuleCopy copy = copied(module("""
                variable "size" {
                  default = 8
                  validation {
                    condition     = contains([8, 16, 32], var.size)
                    error_message = "8, 16 or 32"
                  }
                }
                variable "channel" {
                  validation {
                    condition = contains(["slow", "fast"], var.channel)
                  }
                }
                variable name {}
                """));
        assertThat(copy.variables()).containsExactly("channel", "name", "size");
        assertThat(copy.allowed("size")).containsExactly("8", "16", "32");
        assertThat(copy.allowed("channel")).containsExactly("slow", "fast");
        assertThat(copy.allowed("name")).isEmpty();
    }

    @Test
    void valuesAreWrittenForTheirOwnerOnly() throws CommandRefused, IOException {
        ModuleCopy copy = copied(module("variable \"token_secret\" {}"));
        copy.give(Tree.Members.NONE.with("token_secret", new Tree.Text("a secret")));
        Path values = copy.folder().resolve(ModuleCopy.input().substring("-var-file=".length()));
        assertThat(Files.readString(values)).isEqualTo("{\"token_secret\":\"a secret\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(values)))
                .isEqualTo("rw-------");
    }

    @Test
    void folderWithoutAModuleIsRefused() throws IOException {
        Path empty = Files.createDirectories(folder.resolve("empty"));
        assertThatThrownBy(() -> copied(empty)).hasMessageContaining("has no file of Terraform");
        assertThatThrownBy(() -> copied(folder.resolve("nowhere"))).hasMessageContaining("is no folder");
    }

    @Test
    void fileOfChangesIsHeldAgainstTheVariables() throws CommandRefused, IOException {
        Path module = module("variable \"size\" {}");
        ModuleCopy copy = copied(module);
        Path file = module.resolve(Changes.FILE);
        Files.writeString(file, "{\"size\": [16]}");
        assertThat(Changes.read(module, Optional.empty(), copy.variables())
                        .given()
                        .has("size"))
                .isTrue();
        Files.writeString(file, "{\"sise\": [16]}");
        assertThatThrownBy(() -> Changes.read(module, Optional.empty(), copy.variables()))
                .hasMessageContaining("sise, which is no variable");
        Files.writeString(file, "{\"size\": 16}");
        assertThatThrownBy(() -> Changes.read(module, Optional.empty(), copy.variables()))
                .hasMessageContaining("no list for size");
        Files.writeString(file, "{\"size\": ");
        assertThatThrownBy(() -> Changes.read(module, Optional.empty(), copy.variables()))
                .hasMessageContaining("cannot be read");
    }
}
