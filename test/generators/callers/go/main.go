// What a Go program does with the client that oapi-codegen wrote: the five calls and an error, as one line of JSON.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"

	"modelgate.example/caller/generated"
)

const model, painter = "gpt-5.4", "gpt-image-2"

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func addKey(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MODELGATE_API_KEY"))
	return nil
}

var ctx = context.Background()
var client = must(generated.NewClientWithResponses(os.Getenv("MODELGATE_ORIGIN"), generated.WithRequestEditorFn(addKey)))

func chatRequest(model string) generated.ChatCompletionRequest {
	var content generated.ChatUserMessage_Content
	check(content.FromChatUserMessageContent0(os.Getenv("GREETING")))
	var message generated.ChatMessage
	check(message.FromChatUserMessage(generated.ChatUserMessage{Role: "user", Content: content}))
	return generated.ChatCompletionRequest{Model: model, Messages: []generated.ChatMessage{message}}
}

func models() []string {
	answer := must(client.ListModelsWithResponse(ctx, nil))
	var ids []string
	for _, one := range answer.JSON200.Data {
		ids = append(ids, one.Id)
	}
	return ids
}

func chat() string {
	answer := must(client.CreateChatCompletionWithResponse(ctx, nil, chatRequest(model)))
	return *answer.JSON200.Choices[0].Message.Content
}

func response() string {
	var input generated.ResponseRequest_Input
	check(input.FromResponseRequestInput0(os.Getenv("GREETING")))
	answer := must(client.CreateResponseWithResponse(ctx, nil, generated.ResponseRequest{Model: model, Input: input}))
	for _, item := range answer.JSON200.Output {
		if value, isMessage := must(item.ValueByDiscriminator()).(generated.OutputMessage); isMessage {
			return must(value.Content[0].AsOutputText()).Text
		}
	}
	return ""
}

func drawn() string {
	answer := must(client.GenerateImagesWithResponse(ctx, nil, generated.ImageGenerationRequest{Model: painter, Prompt: "A lighthouse"}))
	return *answer.JSON200.Data[0].B64Json
}

func edited() string {
	picture := must(os.ReadFile(os.Getenv("PICTURE")))
	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
	images := []generated.ImageReference{{ImageUrl: &url}}
	answer := must(client.EditImagesWithResponse(ctx, nil, generated.ImageEditRequest{Model: painter, Prompt: "Add a hat", Images: images}))
	return *answer.JSON200.Data[0].B64Json
}

func rejected() map[string]any {
	answer := must(client.CreateChatCompletionWithResponse(ctx, nil, chatRequest("gpt-0")))
	var body *generated.ModelNotFoundErrorBody = answer.JSON404
	detail := body.Error
	return map[string]any{"status": answer.StatusCode(), "code": detail.Code, "param": detail.Param, "known": detail.Code == generated.ModelNotFound}
}

func main() {
	outcome := map[string]any{
		"models": models(), "chat": chat(), "response": response(), "drawn": drawn(), "edited": edited(), "rejected": rejected(),
	}
	check(json.NewEncoder(os.Stdout).Encode(outcome))
}
