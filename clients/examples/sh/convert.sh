set -eu
API="$DARKROOM_URL/api"
KEY="Ocp-Apim-Subscription-Key: $DARKROOM_KEY"
# Prints a text member of JSON, as `jq -r` would.
field() { sed -n "s/.*\"$1\": *\[*\"\([^\"]*\)\".*/\1/p"; }

url=$(curl -sf "$API/uploads" -H "$KEY" \
  -H "Content-Type: image/jpeg" --data-binary @photo.jpg | field upload_url)

id=$(curl -sf "$API/media-tools/v1/image-convert" -H "$KEY" \
  -H "Content-Type: application/json" \
  -d "{\"image_url\": \"$url\", \"to_format\": \"avif\"}" |
  field request_id)

status=QUEUED
until [ "$status" = COMPLETED ]; do
  sleep 1
  job=$(curl -sf "$API/v2/requests/status/$id" -H "$KEY")
  status=$(echo "$job" | field status)
  case $status in
    FAILED | ERROR) echo "$job" | field error; exit 1 ;;
  esac
done

curl -sf -o photo.avif "$(echo "$job" | field media_url)"
