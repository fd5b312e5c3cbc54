curl -sS --fail-with-body -o lighthouse-lit.json http://127.0.0.1:8080/v1/images/edits \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -F model=gpt-image-2 \
  -F prompt="Turn the light on" \
  -F image=@lighthouse.png \
  && sed 's/.*"b64_json": *"\([^"]*\)".*/\1/' lighthouse-lit.json | base64 --decode > lighthouse-lit.png \
  || cat lighthouse-lit.json
