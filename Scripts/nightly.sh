#!/usr/bin/env bash
# What takes too long for every run: all tests under the address and the thread sanitizer, fuzzing, a soak and the
# benchmarks in a release build. A part that fails does not stop the others. Ends with a summary; the output of the soak
# and of the benchmarks, which are measured and not judged, is above it.
#
# usage: Scripts/nightly.sh [FUZZ_SECONDS [SOAK_SECONDS]]
#   FUZZ_SECONDS   how long to fuzz each target, 60 unless told
#   SOAK_SECONDS   how long to soak, 300 unless told
#
# Exit codes: 0 every part passed; 1 a part failed; 64 wrong usage.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
    -h | --help)
        sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
esac
fuzz_seconds=${1:-60}
soak_seconds=${2:-300}
if (($# > 2)) || [[ ! $fuzz_seconds =~ ^[1-9][0-9]{0,5}$ || ! $soak_seconds =~ ^[1-9][0-9]{0,4}$ ]]; then
    printf 'nightly: usage: Scripts/nightly.sh [FUZZ_SECONDS [SOAK_SECONDS]]\n' >&2
    exit 64
fi

export SWIFT_BACKTRACE=enable=no
summary=()
failures=0

part() {
    local name=$1 began=$SECONDS code=0
    shift
    printf '\n==== %s\n' "$name"
    "$@" || code=$?
    local verdict=passed
    if ((code != 0)); then
        verdict="FAILED (exit code $code)"
        failures=$((failures + 1))
    fi
    summary+=("$(printf '%-24s %6d s  %s' "$name" "$((SECONDS - began))" "$verdict")")
}

part 'setup' Scripts/setup.sh
part 'tests, address sanitizer' Scripts/test.sh --sanitize address
part 'tests, thread sanitizer' Scripts/test.sh --sanitize thread
part 'crash test' Scripts/crash-test.sh "$RANDOM" 300
part 'fuzzing' Scripts/fuzz.sh all "$fuzz_seconds"
# All of it, because the soak and the benchmarks run the gatewayctl beside them.
part 'release build' swift build -c release --scratch-path .build-release
part 'soak' .build-release/release/Benchmarks soak --seconds "$soak_seconds"
part 'benchmarks' .build-release/release/Benchmarks

printf '\n==== Summary\n'
printf '%s\n' "${summary[@]}"
if ((failures > 0)); then
    printf '%s failed\n' "$failures"
    exit 1
fi
printf 'all passed\n'
