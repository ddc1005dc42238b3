#!/usr/bin/env bash
# Kills processes that pay, capture, refund and void against the sandbox, COUNT times, first at named points of an
# exchange and then at random, several of them on one journal; then lets faults end and the reconciler run, and compares
# the journal, and what callers were told, with the sandbox's ledger.
#
# usage: Scripts/crash-test.sh SEED COUNT
#
# Exit codes: 0 they agree; 1 they do not, and the text says where; 64 wrong usage.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if (($# != 2)) || [[ ! $1 =~ ^[0-9]+$ || ! $2 =~ ^[1-9][0-9]*$ ]]; then
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [[ ${1:-} == -h || ${1:-} == --help ]] && exit 0
    exit 64
fi
Scripts/setup.sh
swift build --product CrashTest >&2
exec "$(swift build --show-bin-path)/CrashTest" "$1" "$2"
