// Standard input as hosts give it: whole, empty, closed, garbage, huge, or never ending.
import { Buffer } from "node:buffer";
import process from "node:process";

/** More than any host's message. Bytes. */
const LIMIT = 16 * 1024 * 1024;
/** How often what has come is looked at, where the input stays open. Milliseconds. */
const LOOK = 20;

/** What has come when the input ends, is whole, grows too long, or `patience` milliseconds are over. Never rejects. */
export function readStdin(isWhole: (text: string) => boolean, patience: number): Promise<string> {
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let size = 0;
  let looked = 0;
  const text = () => Buffer.concat(chunks).toString("utf8");
  return new Promise((resolve) => {
    const settle = () => {
      clearInterval(watch);
      clearTimeout(limit);
      stdin.destroy();
      resolve(text());
    };
    const watch = setInterval(() => {
      if (size === looked) return;
      looked = size;
      if (isWhole(text())) settle();
    }, LOOK);
    const limit = setTimeout(settle, patience);
    stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LIMIT) settle();
    });
    stdin.on("end", settle);
    stdin.on("error", settle);
    stdin.on("close", settle);
  });
}
