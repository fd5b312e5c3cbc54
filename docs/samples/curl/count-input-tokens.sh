curl http://127.0.0.1:8080/v1/responses/input_tokens \
  -H "Authorization: Bearer $MODELGATE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gpt-5.4", "input": "Why is the sky blue?"}'
