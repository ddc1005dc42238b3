#!/usr/bin/env bash
# Makes a Debian 12 or Ubuntu 24.04 machine ready to build GatewayKit: checks the Swift toolchain and installs the
# system packages that are missing. Changes nothing when nothing is missing, asks nothing, may be run any number of
# times.
#
# usage: Scripts/setup.sh
#
# GATEWAYKIT_SETUP=skip leaves packages alone, for a system that has everything by other means.
# Exit codes: 0 ready; 1 something is missing, and the text says what; 64 wrong usage.
set -euo pipefail

readonly least_major=6 least_minor=2

fail() {
    printf 'setup: %s\n' "$1" >&2
    shift
    if (($# > 0)); then printf '       %s\n' "$@" >&2; fi
    exit 1
}

for argument in "$@"; do
    case "$argument" in
        -h | --help)
            sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *)
            printf 'setup: unknown argument %s; usage: Scripts/setup.sh\n' "$argument" >&2
            exit 64
            ;;
    esac
done

require_swift_on_path() {
    command -v swift >/dev/null && return
    local found=() place
    for place in "${HOME:-}/.local/share/swiftly/bin" /opt/swift/usr/bin /usr/local/swift/usr/bin; do
        if [[ -x $place/swift ]]; then found+=("There is one in $place: export PATH=\"$place:\$PATH\""); fi
    done
    fail "no 'swift' on PATH." \
        "GatewayKit needs a Swift toolchain, $least_major.$least_minor or newer, from https://www.swift.org/install/linux/" \
        "${found[@]}"
}

# Prints MAJOR.MINOR, or nothing when the toolchain cannot run, as on a machine that lacks the libraries it is linked to.
swift_version() {
    local text
    text=$(swift --version 2>/dev/null </dev/null) || return 0
    if [[ $text =~ Swift\ version\ ([0-9]+\.[0-9]+) ]]; then printf '%s' "${BASH_REMATCH[1]}"; fi
}

require_new_enough() {
    local major=${1%%.*} minor=${1#*.}
    if ((major > least_major || (major == least_major && minor >= least_minor))); then return; fi
    fail "found Swift $1 ($(command -v swift)), and GatewayKit needs $least_major.$least_minor or newer." \
        "Get a newer toolchain from https://www.swift.org/install/linux/ and put it first on PATH."
}

# Fills `packages` with what this system needs, or stops with the list that another system has to match.
choose_packages() {
    local id='' version='' key value
    if [[ -r /etc/os-release ]]; then
        while IFS='=' read -r key value; do
            value=${value#\"} value=${value%\"}
            case "$key" in
                ID) id=$value ;;
                VERSION_ID) version=$value ;;
            esac
        done </etc/os-release
    fi

    local gcc
    case "$id $version" in
        'debian 12') gcc=12 ;;
        'ubuntu 24.04') gcc=13 ;;
        *)
            fail "this system (${id:-unknown} $version) is not one that setup knows: Debian 12 and Ubuntu 24.04." \
                "GatewayKit needs a Swift toolchain ($least_major.$least_minor or newer) with what it asks for itself," \
                "the headers of libcurl (7.87 or newer, built with OpenSSL 3), of OpenSSL 3, of SQLite 3 and of zlib, and pkg-config." \
                "If all of that is there: GATEWAYKIT_SETUP=skip, and run the same command again."
            ;;
    esac

    # The toolchain's own programs are linked to libncurses6, libsqlite3-0, libuuid1, libxml2 and zlib; what it builds
    # is linked by way of binutils and the C and C++ development files.
    packages=(
        binutils libc6-dev "libgcc-$gcc-dev" "libstdc++-$gcc-dev"
        libncurses6 libsqlite3-0 libuuid1 libxml2
        git ca-certificates tzdata
        libcurl4-openssl-dev libsqlite3-dev libssl-dev zlib1g-dev pkgconf
    )
}

# Fills `missing`.
find_missing() {
    local package state installed=' '
    while read -r state package; do
        if [[ $state == ?i ]]; then installed+="$package "; fi
    done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
    missing=()
    for package in "${packages[@]}"; do
        if [[ $installed != *" $package "* ]]; then missing+=("$package"); fi
    done
}

install_missing() {
    local elevate=()
    if ((EUID != 0)); then
        # -n: a password prompt would wait for input.
        if ! sudo -n true 2>/dev/null; then
            fail "these packages are missing, and installing them needs root. Please run:" \
                "sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
        fi
        elevate=(sudo -n)
    fi

    local log
    log=$(mktemp)
    # shellcheck disable=SC2064  # the name of now, not of exit
    trap "rm -f '$log'" EXIT
    apt() {
        "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
            apt-get -qq -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$log" 2>&1
    }
    # --no-remove: better to stop than to take something away from a machine that is not ours.
    install() { apt install --no-install-recommends --no-remove "${missing[@]}"; }

    printf 'setup: installing %s\n' "${missing[*]}"
    # The package lists are brought up to date only when an install by the lists at hand fails.
    if ! install; then
        : >"$log"
        if ! { apt update && install; }; then
            cat "$log" >&2
            fail "apt-get could not install: ${missing[*]}"
        fi
    fi
}

require_swift_on_path
version=$(swift_version)
if [[ -n $version ]]; then require_new_enough "$version"; fi

if [[ ${GATEWAYKIT_SETUP:-} != skip ]]; then
    choose_packages
    find_missing
    if ((${#missing[@]} > 0)); then
        install_missing
        find_missing
        if ((${#missing[@]} > 0)); then fail "still missing after the install: ${missing[*]}"; fi
    fi
fi

if [[ -z $version ]]; then
    version=$(swift_version)
    if [[ -z $version ]]; then
        swift --version >&2 </dev/null || true
        fail "$(command -v swift) does not run; its own words are above." \
            "See https://www.swift.org/install/linux/ for what the toolchain of this system needs."
    fi
    require_new_enough "$version"
fi
