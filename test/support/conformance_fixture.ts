// A server with what the conformance suite calls, on the code that serves ours.
import { Server } from "@modelcontextprotocol/server";
import type { buildServer } from "../../src/mcp/server.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const text = (text: string) => ({ type: "text", text }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const resource = (uri: string, text: string) =>
  ({ type: "resource", resource: { uri, mimeType: "text/plain", text } }) as const;

const TOOLS: Readonly<Record<string, readonly object[]>> = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: SOUND, mimeType: "audio/wav" }],
  test_embedded_resource: [resource("test://embedded-resource", "This is an embedded resource content.")],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", '{"test":"data","value":123}'),
  ],
};

const PROMPTS: Readonly<Record<string, (args: Readonly<Record<string, string>>) => readonly object[]>> = {
  test_simple_prompt: () => [text("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: (
    { resourceUri = "" },
  ) => [
    resource(resourceUri, "Embedded resource content for testing."),
    text("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [image, text("Please analyze the image above.")],
};

export const buildFixture: typeof buildServer = () => {
  const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
  const server = new Server({ name: "fixture", version: "1.0.0" }, { capabilities });
  const inputSchema = { type: "object" } as const;
  server.setRequestHandler("tools/list", () => ({
    tools: [...Object.keys(TOOLS), "test_error_handling"].map((name) => ({ name, description: name, inputSchema })),
  }));
  server.setRequestHandler("tools/call", ({ params: { name } }) => {
    if (name === "test_error_handling") {
      return { content: [text("This tool intentionally returns an error for testing")], isError: true };
    }
    return { content: [...TOOLS[name] ?? []] as never };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({
      name,
      description: name,
      arguments: (name.includes("arguments") ? ["arg1", "arg2"] : name.includes("resource") ? ["resourceUri"] : [])
        .map((name) => ({ name, description: name, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: args = {} } }) => ({
    messages: (PROMPTS[name]?.(args) ?? []).map((content) => ({ role: "user", content })) as never,
  }));
  const listed = [
    { uri: "test://static-text", name: "static-text", description: "A text", mimeType: "text/plain" },
    { uri: "test://static-binary", name: "static-binary", description: "An image", mimeType: "image/png" },
  ];
  server.setRequestHandler("resources/list", () => ({ resources: listed }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{
      uriTemplate: "test://template/{id}/data",
      name: "template",
      description: "By id",
      mimeType: "application/json",
    }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
    if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: PIXEL }] };
    const told = id === undefined
      ? "This is the content of the static text resource."
      : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: id === undefined ? "text/plain" : "application/json", text: told }] };
  });
  server.setRequestHandler(
    "completion/complete",
    () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }),
  );
  return server;
};
