# Makes a release: archives that run where nothing is installed. Sourced by ./pilothouse; decisions/0082 says why so.

# What the program and the workers of pipes use of Java: ReleaseIT compares it with what jdeps finds.
readonly JAVA_MODULES=java.base,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql,jdk.management,jdk.net,jdk.unsupported

program_version() {
    sed -n 's:^    <version>\(.*\)</version>$:\1:p' "$root/pom.xml" | head -n 1
}

# Of the commit, so that the same commit makes the same bytes.
moment_of_source() {
    git -C "$root" log -1 --format=%ct 2>/dev/null || date -u -d "$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)<.*:\1:p' "$root/pom.xml")" +%s
}

# Sets "arch" to this machine's name in the names of releases; the others have no runtime here to link.
find_architecture() {
    case $(uname -s)-$(uname -m) in
        Linux-x86_64) arch=x64 debian_arch=amd64 ;;
        Linux-aarch64) arch=arm64 debian_arch=arm64 ;;
        *) stop_with "A release is made on Linux, on x86_64 or aarch64: it holds the Java of the machine that makes it." ;;
    esac
}

# Puts everything of a release into folder $1.
lay_out() {
    local home=$1
    local target=$root/server/target
    mkdir -p "$home/bin" "$home/app"
    printf 'linking the runtime\n' >&2
    "$jdk/bin/jlink" --add-modules "$JAVA_MODULES" --strip-debug --no-header-files --no-man-pages --compress zip-0 \
        --vm server --output "$home/runtime" || stop_with "jlink of $jdk cannot make a runtime: see above."
    printf 'collecting the program\n' >&2
    "$jdk/bin/java" "$root/script/Collect.java" "$arch" "$root/release/licences.txt" "$home/licences" \
        "$target" "$home/app" || stop_with "The program could not be collected: see above."
    cp "$root/script/start.sh" "$home/app/"
    cp "$root/release/pilothouse" "$home/bin/"
    cp "$root/release/pilothouse.conf" "$root/release/pilothouse.service" "$home/app/"
    cp "$root/LICENSE" "$root/CHANGELOG.md" "$home/"
    cp -r "$root/docs" "$home/docs"
    cp "$root"/release/licences/*.txt "$home/licences/"
    cp "$root/LICENSE" "$home/licences/Apache-2.0.txt"
    mkdir "$home/sbom"
    cp "$root/server/target/sbom.json" "$home/sbom/pilothouse.json"
    cp "$root/pipe-worker/target/sbom.json" "$home/sbom/pipe-worker.json"
    chmod -R u=rwX,go=rX "$home"
    printf '%s\n' "$version" >"$home/VERSION"
}

# Packs folder $1 into file $2: the same files make the same bytes.
pack() {
    tar --sort=name --owner=0 --group=0 --numeric-owner "--mtime=@$moment" --format=gnu -C "$(dirname "$1")" -cf - "$(basename "$1")" |
        gzip -n -9 >"$2"
}

# What the files in folder $1 take, on whatever disk.
kilobytes() {
    find "$1" -type f -printf '%s\n' | awk '{ all += int(($1 + 1023) / 1024) } END { print all }'
}

# The same for Debian: $1 is the laid out release, $2 the package.
pack_for_debian() {
    local tree=$staging/debian
    mkdir -p "$tree/DEBIAN" "$tree/usr/lib" "$tree/usr/bin" "$tree/etc" "$tree/lib/systemd/system" "$tree/usr/share/doc/pilothouse"
    cp -r "$1" "$tree/usr/lib/pilothouse"
    mv "$tree/usr/lib/pilothouse/app/pilothouse.service" "$tree/lib/systemd/system/"
    mv "$tree/usr/lib/pilothouse/app/pilothouse.conf" "$tree/etc/"
    mv "$tree/usr/lib/pilothouse/LICENSE" "$tree/usr/share/doc/pilothouse/copyright"
    ln -s ../lib/pilothouse/bin/pilothouse "$tree/usr/bin/pilothouse"
    cp "$root"/release/debian/* "$tree/DEBIAN/"
    chmod 755 "$tree"/DEBIAN/p*
    # A snapshot comes before the version that it leads to.
    sed -i "s/@VERSION@/${version/-SNAPSHOT/\~snapshot}/; s/@ARCH@/$debian_arch/; s/@SIZE@/$(kilobytes "$tree/usr")/" "$tree/DEBIAN/control"
    find "$tree" -exec touch -h -d "@$moment" {} +
    SOURCE_DATE_EPOCH=$moment dpkg-deb -Zxz -z2 --root-owner-group --build "$tree" "$2" >/dev/null
}

# Makes the release from what is built, and writes it into folder $1.
make_release() {
    local out=$1 arch debian_arch moment
    local version=${RELEASE_VERSION:-$(program_version)}
    find_architecture
    # Modes are part of a release, whoever makes it.
    umask 022
    tar --version 2>/dev/null | grep -q GNU || stop_with "A release is packed with GNU tar, which is not here."
    moment=$(moment_of_source)
    staging=$(mktemp -d "${TMPDIR:-/tmp}/pilothouse.XXXXXX")
    trap 'rm -rf "$staging"' EXIT
    local name=pilothouse-$version
    lay_out "$staging/$name"
    mkdir -p "$out"
    printf 'packing\n' >&2
    local -a made=("$name-linux-$arch.tar.gz")
    pack "$staging/$name" "$out/${made[0]}"
    if has_command dpkg-deb; then
        made+=("pilothouse_${version}_$debian_arch.deb")
        pack_for_debian "$staging/$name" "$out/${made[1]}"
    else
        printf 'no Debian package: dpkg-deb is not here\n' >&2
    fi
    (cd "$out" && sha256sum "${made[@]}" >"$name-linux-$arch.sha256")
    made+=("$name-linux-$arch.sha256")
    local file
    for file in "${made[@]}"; do
        printf '%s\n' "$out/$file"
    done
}

# package [FOLDER]: builds what is not built, and makes the release.
package() {
    find_jdk
    build_options+=(-Dpilothouse.sbom)
    # Another build has none, or one of an earlier program.
    if ! is_built || [ ! "$root/server/target/sbom.json" -nt "$jar" ]; then
        build always
    fi
    make_release "${1:-$root/target/release}"
}
