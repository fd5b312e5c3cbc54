curl -sS --no-buffer http://127.0.0.1:8080/v1/images/generations \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gpt-image-2", "prompt": "A lighthouse in the fog", "stream": true, "partial_images": 2}' \
  | tee events.txt \
  | sed -un 's/.*"b64_json": *"\([^"]*\)".*/\1/p' \
  | while read -r image; do
    printf %s "$image" | base64 --decode > lighthouse.png
  done
sed -n '/"error"/p' events.txt
