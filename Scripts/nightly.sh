#!/usr/bin/env bash
# What takes too long for every run: all tests under the address and the thread sanitizer, fuzzing, benchmarks in a
# release build. A part that fails does not stop the others. Ends with a summary.
#
# usage: Scripts/nightly.sh [SECONDS]
#   SECONDS   how long to fuzz, 600 unless told
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
fuzz_seconds=${1:-600}
if (($# > 1)) || [[ ! $fuzz_seconds =~ ^[1-9][0-9]{0,5}$ ]]; then
    printf 'nightly: usage: Scripts/nightly.sh [SECONDS]\n' >&2
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
if [[ -e Scripts/fuzz.sh ]]; then
    part 'fuzzing' Scripts/fuzz.sh "$fuzz_seconds"
else
    summary+=("$(printf '%-24s %8s  %s' 'fuzzing' '' 'left out: there is no Scripts/fuzz.sh')")
fi
part 'benchmarks' swift run -c release --scratch-path .build-release Benchmarks

printf '\n==== Summary\n'
printf '%s\n' "${summary[@]}"
if ((failures > 0)); then
    printf '%s failed\n' "$failures"
    exit 1
fi
printf 'all passed\n'
