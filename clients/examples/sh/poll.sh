while
  job=$(curl -sf "$DARKROOM_URL/api/v2/requests/status/$REQUEST_ID" \
    -H "Authorization: Bearer $DARKROOM_KEY")
  echo "$job" | grep -qE '"status": *"(QUEUED|PROCESSING)"'
do
  sleep 5
done
echo "$job"
