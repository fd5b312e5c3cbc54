curl -sS --no-buffer http://127.0.0.1:8080/v1/images/edits \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -F model=gpt-image-2 \
  -F prompt="Turn the light on" \
  -F image=@lighthouse.png \
  -F stream=true \
  -F partial_images=2 \
  | tee events.txt \
  | sed -un 's/.*"b64_json": *"\([^"]*\)".*/\1/p' \
  | while read -r image; do
    printf %s "$image" | base64 --decode > lighthouse-lit.png
  done
sed -n '/"error"/p' events.txt
