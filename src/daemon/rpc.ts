// Requests over a socket: JSON-RPC in the frames of vscode-jsonrpc, with every digit of every number.
import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import {
  createMessageConnection,
  type Message,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { parseJson } from "../core/json.ts";

/**
 * Listens as soon as it is prepared.
 * @param rest what was read after the hello
 */
export function connectionOn(socket: Socket, rest: Buffer, prepare = (_: MessageConnection) => {}): MessageConnection {
  if (rest.length > 0) socket.unshift(rest);
  const decoder = {
    name: "application/json",
    decode: (bytes: Uint8Array) => Promise.resolve(parseJson(new TextDecoder().decode(bytes)) as Message), // the connection checks it
  };
  const silent = { error() {}, warn() {}, info() {}, log() {} };
  const reader = new StreamMessageReader(socket, { contentTypeDecoder: decoder });
  const connection = createMessageConnection(reader, new StreamMessageWriter(socket), silent);
  prepare(connection);
  connection.listen();
  socket.resume(); // it was stopped after the hello
  return connection;
}
