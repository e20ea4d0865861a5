// The REST twin described in OpenAPI 3.1, from the same printed schemas as the tools.
import { CODES } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import TOOL_LIST from "../tools.json" with { type: "json" };
import { STATUS } from "./rest.ts";

const FAULT = {
  type: "object",
  additionalProperties: false,
  required: ["error"],
  properties: {
    error: {
      type: "object",
      additionalProperties: false,
      required: ["code", "message"],
      properties: {
        code: { type: "string", enum: Object.keys(CODES) },
        message: { type: "string" },
        hint: { type: "string" },
      },
    },
  },
};

/** Statuses of the door itself, before a tool is asked. */
const DOOR: Readonly<Record<number, string>> = {
  401: "No token, or a wrong one",
  403: "A host or an origin that is not this server's",
  405: "Another method than POST",
  413: "The body is too large",
  415: "The body is not application/json",
  429: "Too many requests; Retry-After says when",
};

export function openApi(): object {
  const faults = [...new Set([...Object.values(STATUS), ...Object.keys(DOOR).map(Number)])].sort();
  const described = (status: number) => DOOR[status] ?? "A fault of ours, by its code";
  const content = (schema: object) => ({ "application/json": { schema } });
  const responses = Object.fromEntries(
    faults.map((status) => [status, { description: described(status), content: content(FAULT) }]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Holdfast",
      version: VERSION,
      description: "Persistent memory for AI agents: the five tools as requests",
    },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    paths: Object.fromEntries(TOOL_LIST.map(({ name, title, description, inputSchema, outputSchema }) => [
      `/v1/${name}`,
      {
        post: {
          operationId: name,
          summary: title,
          description,
          requestBody: { required: true, content: content(inputSchema) },
          responses: { 200: { description: "Done", content: content(outputSchema) }, ...responses },
        },
      },
    ])),
  };
}
