set -eu
API="$DARKROOM_URL/api"
KEY="Authorization: Bearer $DARKROOM_KEY"
# Prints a text member of JSON, as `jq -r` would.
field() { sed -n "s/.*\"$1\": *\[*\"\([^\"]*\)\".*/\1/p"; }

mkdir -p shop
for photo in photos/*.jpg; do
  url=$(curl -sf "$API/uploads?name=$(basename "$photo")" -H "$KEY" \
    -H "Content-Type: image/jpeg" --data-binary "@$photo" | field upload_url)

  # The recipe, with the photo as its input.
  id=$(sed "1s|{|{ \"image_url\": \"$url\",|" recipe.json |
    curl -sf "$API/v2/pipelines" -H "$KEY" \
      -H "Content-Type: application/json" -d @- | field request_id)

  status=QUEUED
  until [ "$status" = COMPLETED ]; do
    job=$(curl -sf "$API/v2/requests/status/$id" -H "$KEY" -H "Prefer: wait=60")
    status=$(echo "$job" | field status)
    case $status in
      FAILED | ERROR) echo "$job" | field error; exit 1 ;;
    esac
  done

  # Each file has its name in Content-Disposition: otter-shop.webp.
  echo "$job" | grep -o '"output":{"media_url":\[[^]]*' | grep -o 'http[^"]*' |
    while read -r url; do (cd shop && curl -sfOJ "$url"); done
done
