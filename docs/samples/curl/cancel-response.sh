id=$(curl http://127.0.0.1:8080/v1/responses \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gpt-5.4", "input": "Why is the sky blue?", "background": true}' | grep -o 'resp_[0-9a-f]*')

curl -X POST "http://127.0.0.1:8080/v1/responses/$id/cancel" \
  -H "Authorization: Bearer $MODELGATE_API_KEY"
