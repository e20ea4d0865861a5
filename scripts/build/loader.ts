// What runs first in the executable: the program's pieces are among its assets.
import { Buffer } from "node:buffer";
import process from "node:process";
import { getAsset, getRawAsset } from "node:sea";
import { start } from "./start.ts";

const asset = (key: string) => Buffer.from(getRawAsset(key) as ArrayBuffer);
const cached = new Set<string>(JSON.parse(getAsset("cached.json", "utf8")));

start({
  code: (name) => asset(name).toString("latin1"),
  cache: (name) => cached.has(name) ? asset(`${name}.cache`) : undefined,
}, process.execPath);
