#!/usr/bin/env bash
# Fuzzes the readers of bytes from outside with libFuzzer and the address sanitizer. A target that is not instrumented
# is a failure: it would run and find nothing.
#
# usage: Scripts/fuzz.sh [TARGET|all|list] [SECONDS]
#   TARGET    a folder of Sources/Fuzz, such as JSON; all unless told
#   SECONDS   how long to fuzz each target, 60 unless told; 0 only runs the corpus
#
# The seeds are in Sources/Fuzz/Corpus/TARGET. What libFuzzer finds on the way is kept in fuzz-work/corpus/TARGET, so that
# the next run goes on from there; inputs that end a target are kept in fuzz-work/findings/TARGET.
# Exit codes: 0 nothing found; 1 a finding, or a target that cannot be built or is not instrumented; 64 wrong usage.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly scratch=.build-fuzz work=fuzz-work

usage() {
    printf 'fuzz: usage: Scripts/fuzz.sh [TARGET|all|list] [SECONDS]\n' >&2
    exit 64
}

targets=()
for folder in Sources/Fuzz/*/; do
    name=$(basename "$folder")
    case "$name" in
        Corpus | Support) ;;
        *) targets+=("$name") ;;
    esac
done

case "${1:-}" in
    -h | --help)
        sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    list)
        printf '%s\n' "${targets[@]}"
        exit 0
        ;;
esac
wanted=${1:-all}
seconds=${2:-60}
if (($# > 2)) || [[ ! $seconds =~ ^(0|[1-9][0-9]{0,5})$ ]]; then usage; fi
if [[ $wanted != all ]]; then
    if [[ " ${targets[*]} " != *" $wanted "* ]]; then
        printf 'fuzz: there is no target %s; the targets are: %s\n' "$wanted" "${targets[*]}" >&2
        exit 64
    fi
    targets=("$wanted")
fi

# The backtracer makes a crash last minutes under a sanitizer, and it prints memory.
export SWIFT_BACKTRACE=enable=no
export GATEWAYKIT_FUZZ=1
# A leak is looked for at the end, not after each input.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
Scripts/setup.sh
mkdir -p "$work/logs"

# One -sanitize with both: of two, only one would be kept, and nothing would be instrumented.
build() {
    local name=$1 log=$work/logs/$1.build.log release=$scratch/release
    swift build -c release --scratch-path "$scratch" -Xswiftc -sanitize=fuzzer,address --product "Fuzz$name" >"$log" 2>&1 &&
        swiftc -sanitize=fuzzer,address -o "$release/fuzz-$name" \
            -Xlinker --whole-archive "$release/libFuzz$name.a" -Xlinker --no-whole-archive \
            -lcurl -lz -lssl -lcrypto >>"$log" 2>&1 && return
    grep -E 'error' "$log" >&2 || tail -n 20 "$log" >&2
    return 1
}

# Whether the log says that counters were found, in more than the target itself, and that inputs made a difference.
is_instrumented() {
    local log=$1 counters
    if grep -qE 'no interesting inputs were found|Loaded 0 modules' "$log"; then return 1; fi
    counters=$(sed -nE 's/^INFO: Loaded [1-9][0-9]* modules? +\(([0-9]+) inline 8-bit counters\).*/\1/p' "$log" | head -n 1)
    [[ -n $counters ]] && ((counters > 1000)) && grep -qE '(INITED|DONE).* cov: [1-9][0-9]*' "$log"
}

summary=()
failures=0
for name in "${targets[@]}"; do
    printf '== %s\n' "$name"
    if ! build "$name"; then
        summary+=("$(printf '%-18s %s' "$name" 'FAILED: it does not build')")
        failures=$((failures + 1))
        continue
    fi
    corpus=$work/corpus/$name findings=$work/findings/$name log=$work/logs/$name.log
    mkdir -p "$corpus" "$findings"
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1
        -artifact_prefix="$findings/")
    if ((seconds == 0)); then options+=(-runs=0); fi
    dictionary=Sources/Fuzz/Corpus/$name.dict
    if [[ -e $dictionary ]]; then options+=(-dict="$dictionary"); fi
    seeds=()
    if [[ -d Sources/Fuzz/Corpus/$name ]]; then seeds+=("Sources/Fuzz/Corpus/$name"); fi
    status=0
    "$scratch/release/fuzz-$name" "${options[@]}" "$corpus" "${seeds[@]}" >"$log" 2>&1 || status=$?

    executions=$(sed -nE 's/^stat::number_of_executed_units: +([0-9]+)/\1/p' "$log")
    last=$(grep -E '^#[0-9]+.* cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1 || true)
    reached=$(sed -nE 's/.* (cov: [0-9]+ ft: [0-9]+) .*/\1/p' <<<"$last")
    verdict='nothing found'
    if ((status != 0)); then
        verdict="FINDING, see $log and $findings"
        grep -E '^==== finding|^==[0-9]+==ERROR|^SUMMARY' "$log" >&2 || tail -n 5 "$log" >&2
    elif ! is_instrumented "$log"; then
        verdict='FAILED: it is not instrumented'
        status=1
    fi
    if ((status != 0)); then failures=$((failures + 1)); fi
    line=$(printf '%-18s %10s runs  %-24s %s' "$name" "${executions:-?}" "${reached:--}" "$verdict")
    printf '%s\n' "$line"
    summary+=("$line")
done

if ((${#targets[@]} > 1)); then
    printf '\n== Summary\n'
    printf '%s\n' "${summary[@]}"
fi
if ((failures > 0)); then exit 1; fi
