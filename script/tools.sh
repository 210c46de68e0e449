# Finds the JDK and the Maven that ./pilothouse needs, and gets one that is missing if its user wants that. Sourced.

readonly JAVA_WANTED=25
readonly MAVEN_WANTED=3.8.7
readonly SDKMAN=${SDKMAN_DIR:-${HOME:-/nonexistent}/.sdkman}

stop_with() {
    printf '%s\n' "$1" >&2
    exit 1
}

has_command() {
    command -v "$1" >/dev/null 2>&1
}

# Whether dotted version $1 is at least $2.
is_at_least() {
    local -a have want
    local i
    IFS=. read -r -a have <<<"${1%%[!0-9.]*}"
    IFS=. read -r -a want <<<"$2"
    for i in 0 1 2; do
        [ "${have[i]:-0}" -gt "${want[i]:-0}" ] && return 0
        [ "${have[i]:-0}" -lt "${want[i]:-0}" ] && return 1
    done
    return 0
}

# --- getting what is missing -----------------------------------------------------------------------------------------

# Each of these sets "installer" to the words that install tool $1, jdk or maven, with one package manager, and fails
# where that is not there or has no such package.

try_brew() {
    local package=maven
    has_command brew || return 1
    [ "$1" = maven ] || package=openjdk@$JAVA_WANTED
    brew info "$package" >/dev/null 2>&1 || return 1
    installer=(brew install "$package")
}

try_apt() {
    local package packages=maven
    has_command apt-get || return 1
    [ "$1" = maven ] || packages="openjdk-$JAVA_WANTED-jdk-headless temurin-$JAVA_WANTED-jdk"
    for package in $packages; do
        if is_offered "$1" "$(apt-cache show --no-all-versions "$package" 2>/dev/null | sed -n 's/^Version: //p')"; then
            as_root apt-get install -y "$package"
            return 0
        fi
    done
    return 1
}

try_dnf() {
    local package=maven
    has_command dnf || return 1
    [ "$1" = maven ] || package=java-$JAVA_WANTED-openjdk-devel
    is_offered "$1" "$(dnf -q info "$package" 2>/dev/null | sed -n 's/^Version *: *//p' | head -n 1)" || return 1
    as_root dnf install -y "$package"
}

try_sdkman() {
    local version
    [ -r "$SDKMAN/bin/sdkman-init.sh" ] || return 1
    if [ "$1" = maven ]; then
        installer=(sdk install maven)
        return 0
    fi
    version=$(sdk list java 2>/dev/null | sed -n "s/^.*[ |]\($JAVA_WANTED[.0-9]*-tem\)[ |]*$/\1/p" | head -n 1) || true
    [ -n "$version" ] || return 1
    installer=(sdk install java "$version")
}

# Whether version $2 of tool $1, empty for none, would do.
is_offered() {
    [ -n "$2" ] || return 1
    [ "$1" = jdk ] || is_at_least "$2" "$MAVEN_WANTED"
}

as_root() {
    installer=("$@")
    [ "$(id -u)" -eq 0 ] || installer=(sudo "$@")
}

# The command of SDKMAN is a function, and its scripts do not work under the strict settings of this one. It keeps the
# default that its user chose.
sdk() {
    bash -c '. "$0/bin/sdkman-init.sh" && sdk "$@"' "$SDKMAN" "$@" <<<n
}

# A fresh container has an apt that knows no packages before its first update.
apt_knows_packages() {
    compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null
}

# A build server may give its jobs a terminal without a person at it.
can_ask() {
    [ "${CI:-}" != true ] && [ -t 0 ] && [ -t 2 ] && has_command "${installer[0]}"
}

# Says how to get tool $1 on this very system and ends, unless a person at the terminal lets it be installed now. $2 says
# what needs it, $3 what to do where no package manager has it.
get_missing() {
    local answer=
    installer=()
    if ! { try_brew "$1" || try_apt "$1" || try_dnf "$1" || try_sdkman "$1"; }; then
        if has_command apt-get && ! apt_knows_packages; then
            stop_with "$2: run \"apt-get update\" as root, so that this system knows its packages, and start again."
        fi
        stop_with "$2: $3."
    fi
    local sentence="$2: install it with \"${installer[*]}\"."
    can_ask || stop_with "$sentence"
    printf '%s\nInstall it now? [y/N] ' "$sentence" >&2
    read -r answer || true
    case $answer in
        [yY] | [yY][eE][sS]) ;;
        *) exit 1 ;;
    esac
    # Standard output is for what the program itself prints.
    "${installer[@]}" >&2 || stop_with "\"${installer[*]}\" failed."
}

# --- the JDK ---------------------------------------------------------------------------------------------------------

# Prints the major version of the JDK in a folder, or nothing; reads its release file, as starting it costs 50 ms or more.
jdk_version() {
    local line version
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
            JAVA_VERSION=*)
                version=${line#JAVA_VERSION=}
                version=${version//\"/}
                version=${version%%[!0-9]*}
                printf '%s' "$version"
                return 0
                ;;
        esac
    done <"$1/release"
}

is_new_enough() {
    local version
    version=$(jdk_version "$1")
    [ -n "$version" ] && [ "$version" -ge "$JAVA_WANTED" ]
}

# The folder of the JDK whose java is on the PATH, through links.
jdk_on_path() {
    local java target
    java=$(command -v java) || return 0
    while [ -L "$java" ]; do
        target=$(readlink "$java")
        case $target in
            /*) java=$target ;;
            *) java=$(dirname "$java")/$target ;;
        esac
    done
    (cd -P "$(dirname "$java")/.." && pwd)
}

# Where JDKs are on the systems that we know.
list_jdk_folders() {
    local home=${HOME:-/nonexistent}
    folders=(
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/* /opt/java/* /opt/jdk/*
        "$SDKMAN"/candidates/java/* "$home"/.jdks/* "$home"/.local/share/mise/installs/java/*
        /Library/Java/JavaVirtualMachines/*/Contents/Home "$home"/Library/Java/JavaVirtualMachines/*/Contents/Home
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
        /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
        /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec
        "$(jdk_on_path)"
    )
}

# Sets "jdk" to a folder with a JDK that is new enough, or fails.
look_for_jdk() {
    local folder newer=
    local -a folders
    if [ -n "${PILOTHOUSE_JAVA_HOME:-}" ]; then
        is_new_enough "$PILOTHOUSE_JAVA_HOME" ||
            stop_with "PILOTHOUSE_JAVA_HOME is $PILOTHOUSE_JAVA_HOME, which is no JDK $JAVA_WANTED or newer: point it at one, or unset it."
        jdk=$PILOTHOUSE_JAVA_HOME
        return 0
    fi
    if [ -n "${JAVA_HOME:-}" ] && is_new_enough "$JAVA_HOME"; then
        jdk=$JAVA_HOME
        return 0
    fi
    list_jdk_folders
    for folder in "${folders[@]}"; do
        # The gates are known to work on exactly this version, so it goes before any newer one.
        if [ "$(jdk_version "$folder")" = "$JAVA_WANTED" ]; then
            jdk=$folder
            return 0
        fi
        if [ -z "$newer" ] && is_new_enough "$folder"; then
            newer=$folder
        fi
    done
    jdk=$newer
    [ -n "$jdk" ]
}

find_jdk() {
    ! look_for_jdk || return 0
    get_missing jdk "Pilothouse needs a JDK $JAVA_WANTED" \
        "install one (Eclipse Temurin $JAVA_WANTED from https://adoptium.net, for example) and set JAVA_HOME to its folder"
    look_for_jdk || stop_with "\"${installer[*]}\" left no JDK $JAVA_WANTED that can be found: set JAVA_HOME to its folder."
}

# --- Maven -----------------------------------------------------------------------------------------------------------

# Sets "mvn" to the program, or fails.
look_for_maven() {
    local program
    mvn=$(command -v mvn) || mvn=
    for program in "${MAVEN_HOME:-/nonexistent}/bin/mvn" "$SDKMAN/candidates/maven/current/bin/mvn"; do
        if [ -z "$mvn" ] && [ -x "$program" ]; then
            mvn=$program
        fi
    done
    [ -n "$mvn" ]
}

find_maven() {
    local version
    if ! look_for_maven; then
        get_missing maven "Building Pilothouse needs Maven $MAVEN_WANTED or newer" \
            "install it (https://maven.apache.org has it) and put mvn on the PATH"
        look_for_maven || stop_with "\"${installer[*]}\" left no Maven that can be found: put its mvn on the PATH."
    fi
    version=$(JAVA_HOME=$jdk "$mvn" -B --version 2>/dev/null | sed -n 's/^.*Apache Maven \([0-9][0-9.]*\).*$/\1/p' | head -n 1) || true
    is_at_least "${version:-0}" "$MAVEN_WANTED" ||
        stop_with "Building Pilothouse needs Maven $MAVEN_WANTED or newer, but the version of $mvn is ${version:-unknown}: install a newer one and put its mvn on the PATH."
}
