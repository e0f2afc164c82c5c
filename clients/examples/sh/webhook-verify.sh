# Your receiver has stored the body, and the three headers as variables.
set -eu
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
if [ "$age" -gt 300 ] || [ "$age" -lt -300 ]; then
  echo "too old" >&2
  exit 1
fi

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d |
  od -An -vtx1 | tr -d ' \n')
signature=$(
  { printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64
)
case " $WEBHOOK_SIGNATURE " in
  *" v1,$signature "*) cat body.json ;;
  *) echo "wrong signature" >&2; exit 1 ;;
esac
