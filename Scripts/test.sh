#!/usr/bin/env bash
# Lints and builds everything and runs every test. The last line is the test runner's own closing line.
#
# usage: Scripts/test.sh [--sanitize address|thread] [arguments for swift test, such as --filter NAME]
#
# The full output of each step is kept in test-logs/ under the build folder: .build, .build-asan or .build-tsan.
# Exit codes: 0 all passed; 1 something failed, or no test was run; 64 wrong usage.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sanitize=()
scratch=.build
arguments=()
while (($# > 0)); do
    case "$1" in
        --sanitize | --sanitize=*)
            if [[ $1 == *=* ]]; then
                kind=${1#*=}
            else
                kind=${2:-}
                shift
            fi
            case "$kind" in
                address) scratch=.build-asan ;;
                thread) scratch=.build-tsan ;;
                *)
                    printf 'test: --sanitize takes address or thread\n' >&2
                    exit 64
                    ;;
            esac
            sanitize=("--sanitize=$kind")
            ;;
        -h | --help)
            sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) arguments+=("$1") ;;
    esac
    if (($# > 0)); then shift; fi
done

# The backtracer makes a crash last minutes under a sanitizer, and it prints memory.
export SWIFT_BACKTRACE=enable=no

step() { printf '== %s\n' "$1"; }

# Keeps a build's output short: one line in ten of its progress, and everything else.
condense_build() {
    local line count=0
    while IFS= read -r line; do
        if [[ $line =~ ^\[[0-9]+/[0-9]+\]\  ]]; then
            count=$((count + 1))
            if ((count % 10 != 0)); then continue; fi
        fi
        printf '%s\n' "$line"
    done
}

# Keeps the tests' output short: leaves out what started, what passed, and the frame of the XCTest runner, which has
# nothing to run here. Failures, skipped tests, crashes and sanitizer reports are none of these. The closing line is
# printed at the end.
condense_tests() {
    local line
    while IFS= read -r line; do
        case "$line" in
            '◇ '* | '✔ Test '* | '✔ Suite '* | '✘ Test run with '*) ;;
            "Test Suite 'All tests' "* | "Test Suite 'debug.xctest' "* | "Test Suite 'Selected tests' "*) ;;
            $'\t Executed 0 tests, with 0 failures '*) ;;
            '' | '[0/1] Planning build') ;;
            *) printf '%s\n' "$line" ;;
        esac
    done
}

Scripts/setup.sh
logs=$scratch/test-logs
mkdir -p "$logs"

step "Checking the form of the sources"  # before the build, which takes minutes
sources=(Package.swift Sources Tests)
for folder in Snippets Examples; do
    if [[ -d $folder ]]; then sources+=("$folder"); fi
done
swift format lint --strict --recursive "${sources[@]}"
if command -v shellcheck >/dev/null; then
    shellcheck Scripts/*.sh .ci/run
else
    printf 'shellcheck is not installed: the scripts are not checked.\n'
fi

step "Building (the first time takes minutes)"
if ! swift build --build-tests "${sanitize[@]}" --scratch-path "$scratch" 2>&1 |
    tee "$logs/build.log" | condense_build; then
    printf 'test: the build failed; full output: %s\n' "$logs/build.log" >&2
    exit 1
fi

step "Testing"
# The XCTest runner, which has nothing to run here, leaks some hundred bytes of its own. Leaks of ours are still found.
printf 'leak:libXCTest.so\n' >"$logs/leaks-of-others.txt"
export LSAN_OPTIONS="suppressions=$PWD/$logs/leaks-of-others.txt:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
status=0
swift test --skip-build "${sanitize[@]}" --scratch-path "$scratch" "${arguments[@]}" 2>&1 |
    tee "$logs/tests.log" | condense_tests || status=$?

closing=$(grep -E 'Test run with [0-9]+ tests? ' "$logs/tests.log" | tail -n 1 || true)
passed=$(grep '^✔ Test ' "$logs/tests.log" | grep -c -v '^✔ Test run with ' || true)
printf 'Full output: %s\n' "$logs/tests.log"
if ((status != 0)); then
    printf 'test: swift test failed (exit code %s)%s\n' "$status" "${closing:+:}" >&2
elif [[ -z $closing || $passed == 0 ]]; then
    printf 'test: no test was run\n' >&2
    status=1
elif [[ $closing != '✔ '* ]]; then
    printf 'test: the runner reports a failure and yet exits with 0\n' >&2
    status=1
fi
if [[ -n $closing ]]; then printf '%s\n' "$closing"; fi
if ((status != 0)); then exit 1; fi
