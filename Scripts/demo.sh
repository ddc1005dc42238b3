#!/usr/bin/env bash
# Shows what GatewayKit does, from a fresh clone: installs what is missing, builds gatewayctl and hands a public test
# card to the built-in sandbox, which imitates Spreedly over real HTTP on this machine. Needs no account and sends
# nothing to anybody. The last thing printed is the token.
#
# usage: Scripts/demo.sh
#
# Exit codes: 0 everything happened as told; 1 something did not; 64 wrong usage.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
    '') ;;
    -h | --help)
        sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    *)
        printf 'demo: takes no arguments\n' >&2
        exit 64
        ;;
esac

say() { printf '%s\n' "$@"; }

title() { printf '\n== %s\n' "$1"; }

# Runs gatewayctl, shows the command as one would type it, and holds it to the exit code that was announced.
run() {
    local expected=$1 code=0 argument shown='$ gatewayctl'
    shift
    for argument in "$@"; do
        if [[ $argument =~ ^[a-z0-9=.:-]+$ ]]; then shown+=" $argument"; else shown+=" ${argument@Q}"; fi
    done
    say '' "$shown"
    "$tool" "$@" </dev/null 2>&1 || code=$?
    if ((code != expected)); then
        printf 'demo: exit code %s, where %s was expected\n' "$code" "$expected" >&2
        exit 1
    fi
}

# What is shown should not depend on somebody's own settings.
unset GATEWAYCTL_OUTPUT GATEWAYCTL_TIMEOUT

Scripts/setup.sh
say 'Building gatewayctl (the first time takes minutes) ...'
if ! log=$(swift build --product gatewayctl 2>&1 </dev/null); then
    printf '%s\n' "$log" >&2
    printf 'demo: the build failed; its output is above\n' >&2
    exit 1
fi
tool=$(swift build --show-bin-path)/gatewayctl
"$tool" --version

title '1. What would be sent'
say 'A dry run builds the request and sends nothing. Card number, security code and credentials are never shown:' \
    'not here, not in logs, not in errors.'
run 0 tokenize --provider spreedly --sandbox --test-card visa --dry-run

title '2. The provider says no'
say 'The card has no name, and the check on this side is switched off, so that the provider has to judge. Its answer' \
    'names the fields and keeps its own codes. An answer of no is a result with exit code 2, not an error.'
run 2 tokenize --provider spreedly --sandbox --test-card visa --name ' ' --no-local-checks

title '3. Nobody knows'
say 'Now the sandbox breaks the connection after it has read the request. The card may have been stored or not:' \
    'that is neither a success nor a refusal, and nothing is sent again behind your back. It is exit code 4.'
run 4 tokenize --provider spreedly --sandbox --test-card visa \
    --sandbox-fault spreedly.tokenize=reset-before-answer

title '4. The whole exchange'
say 'With -v every request and answer is shown with its timing, redacted in the same way.'
run 0 tokenize --provider spreedly --sandbox --test-card visa -v

title '5. The main job'
say 'A card goes in, a token comes out: over a real socket, from the sandbox in this process. With an account of your' \
    "own, leave out --sandbox ('gatewayctl help configuration'); the program is $tool"
run 0 tokenize --provider spreedly --sandbox --test-card visa
