curl http://127.0.0.1:8080/v1/images/generations \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gpt-image-2", "prompt": "A lighthouse in the fog"}' \
  | sed 's/.*"b64_json": *"\([^"]*\)".*/\1/' \
  | base64 --decode > lighthouse.png
