#!/usr/bin/env bash
# Lints and builds everything and runs every test. The last line is the test runner's own closing line.
#
# usage: Scripts/test.sh [--sanitize address|thread] [arguments for swift test, such as --filter NAME]
#
# Under a sanitizer, which slows everything down, the test targets run one after another and not all at once, so that the
# tests' own time limits hold; there is a closing line per target. GatewayKitTests' walk then takes every fourth fault
# (GATEWAYKIT_WALK_SHARE=1 takes all); the contract suite's walks take all of them.
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
# The XCTest runner, which has nothing to run here, leaks some hundred bytes of its own. The values of global constants
# (made in functions that end in _WZ) look leaked where only a Swift text points to them: its pointers carry marks.
printf 'leak:libXCTest.so\nleak:_WZ\n' >"$logs/leaks-of-others.txt"
export LSAN_OPTIONS="suppressions=$PWD/$logs/leaks-of-others.txt:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
status=0
: >"$logs/tests.log"

# One run of the tests; its closing line, or what is wrong with it, is added to `closing`.
closing=()
run_tests() {
    local name=$1 log="$logs/tests-$1.log" code=0 line passed
    shift
    swift test --skip-build "${sanitize[@]}" --scratch-path "$scratch" "$@" 2>&1 |
        tee "$log" | condense_tests || code=$?
    cat "$log" >>"$logs/tests.log"
    line=$(grep -E 'Test run with [0-9]+ tests? ' "$log" | tail -n 1 || true)
    passed=$(grep '^✔ Test ' "$log" | grep -c -v '^✔ Test run with ' || true)
    if ((code != 0)); then
        printf 'test: swift test failed (%s, exit code %s)%s\n' "$name" "$code" "${line:+:}" >&2
        status=1
    elif [[ -z $line || $passed == 0 ]]; then
        printf 'test: no test was run (%s)\n' "$name" >&2
        status=1
    elif [[ $line != '✔ '* ]]; then
        printf 'test: the runner reports a failure and yet exits with 0 (%s)\n' "$name" >&2
        status=1
    fi
    if [[ -n $line ]]; then closing+=("$line"); fi
}

if ((${#sanitize[@]} > 0 && ${#arguments[@]} == 0)); then
    export GATEWAYKIT_WALK_SHARE=${GATEWAYKIT_WALK_SHARE:-4}
    for folder in Tests/*Tests; do
        target=${folder#Tests/}
        printf -- '-- %s\n' "$target"
        run_tests "$target" --filter "^$target\\."
        if ((${#closing[@]} > 0)); then printf '%s\n' "${closing[-1]}"; fi
    done
    printf 'Full output: %s\n' "$logs/tests.log"
else
    run_tests all "${arguments[@]}"
    printf 'Full output: %s\n' "$logs/tests.log"
    if ((${#closing[@]} > 0)); then printf '%s\n' "${closing[-1]}"; fi
fi
if ((status != 0)); then exit 1; fi
