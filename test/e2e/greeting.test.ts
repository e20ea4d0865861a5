// The answer to `initialize` that is given before the server is loaded: the SDK's own, and only where the SDK would give it.
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { withServer } from "../support/stdio.ts";
import { temporaryStore } from "../support/temporary.ts";

const clientInfo = { name: "raw", version: "1" };

describe("greet", { concurrency: 3 }, () => {
  for (const protocolVersion of ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2099-01-01"]) {
    test(`says of ${protocolVersion} what the SDK says`, () =>
      withServer({ store: temporaryStore() }, async (server) => {
        const params = { protocolVersion, capabilities: { roots: { listChanged: true } }, clientInfo };
        const { id: _, ...first } = await server.request("initialize", params);
        const { id: __, ...again } = await server.request("initialize", params);
        assertEquals(first, again);
      }));
  }

  test("answers once, whatever the id is used for later", () =>
    withServer({ store: temporaryStore() }, async (server) => {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      await server.write(`${JSON.stringify({ jsonrpc: "2.0", id: "x", method: "initialize", params })}\n`);
      await server.receive(({ id }) => id === "x");
      await server.write('{"jsonrpc":"2.0","id":"x","method":"ping"}\n{"jsonrpc":"2.0","id":"y","method":"ping"}\n');
      await server.receive(({ id }) => id === "y");
      assertEquals(server.messages.map(({ id }) => id), ["x", "x", "y"]);
    }));
});
