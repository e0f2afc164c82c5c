# Your receiver has stored the body, and the three headers as variables.
set -eu
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
[ "$age" -le 300 ] && [ "$age" -ge -300 ] || { echo "too old" >&2; exit 1; }

secret=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
signature=$(
  { printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" -binary | base64
)
case " $WEBHOOK_SIGNATURE " in
  *" v1,$signature "*) cat body.json ;;
  *) echo "wrong signature" >&2; exit 1 ;;
esac
