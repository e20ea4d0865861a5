// A stretch of network between a client and its server that delays, loses, cuts and damages, as a test asks.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What happens to a request; `answer` comes from the proxy itself and the server sees nothing. */
export type Trouble =
  | "swallow" // it goes nowhere, and nothing comes back
  | "cut" // the connection ends before the server sees it
  | "lose" // the server does it, then the connection ends without an answer
  | "shorten" // half of the answer comes
  | "damage" // all of the answer comes, with other bits
  | { readonly status: number; readonly type: string; readonly body: string };

export interface Proxy {
  readonly url: string;
  /** Requests that clients have sent. */
  requests: number;
  /** The head of the last one. */
  head: string;
  /** Milliseconds added to each round trip. */
  delay: number;
  /** The next requests meet with it. */
  trouble(kind: Trouble, times?: number): void;
  heal(): void;
  close(): Promise<void>;
}

export async function startProxy(port: number): Promise<Proxy> {
  let kind: Trouble | undefined;
  let left = 0;
  const sockets = new Set<Socket>();
  const next = (): Trouble | undefined => left-- > 0 ? kind : undefined;
  const server = createServer((client) => {
    let now: Trouble | undefined;
    const upstream = connect(port, "127.0.0.1");
    const both = [client, upstream];
    for (const socket of both) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => both.forEach((one) => (sockets.delete(one), one.destroy())));
    }
    client.on("data", (chunk: Uint8Array) => {
      if (/^(POST|GET) /.test(text(chunk.subarray(0, 8)))) {
        proxy.requests++;
        proxy.head = text(chunk).split("\r\n\r\n", 1)[0] ?? "";
        now = next();
        if (typeof now === "object") return void client.write(reply(now));
      }
      if (now === "cut") client.destroy();
      else if (now !== "swallow" && typeof now !== "object") later(() => upstream.write(chunk));
    });
    upstream.on("data", (chunk: Uint8Array) => {
      if (now === "lose") client.destroy();
      else if (now === "shorten") client.write(chunk.subarray(0, chunk.length / 2), () => client.destroy());
      else later(() => client.write(now === "damage" ? damaged(chunk) : chunk));
    });
  });
  const later = (work: () => void) => void (proxy.delay > 0 ? setTimeout(work, proxy.delay / 2) : work());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    head: "",
    delay: 0,
    trouble: (what, times = Infinity) => (kind = what, left = times, undefined),
    heal: () => void (left = 0),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}

function reply({ status, type, body }: Exclude<Trouble, string>): string {
  return `HTTP/1.1 ${status} Trouble\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** The head stays. */
function damaged(chunk: Uint8Array): Uint8Array {
  const head = text(chunk).indexOf("\r\n\r\n");
  return chunk.map((byte, at) => at > head + 4 ? byte ^ 0x20 : byte);
}

function text(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
