// How ids are made: short, random, without letters that people confuse.

import { createHash } from "node:crypto";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_LENGTH = 12;

/** 12 characters of lower-case Crockford base 32: 60 random bits. */
export function newId(): string {
  return spell(crypto.getRandomValues(new Uint8Array(ID_LENGTH)));
}

/** The same id for the same words, and for no others. */
export function idOf(...words: readonly (string | number)[]): string {
  return spell(createHash("sha256").update(JSON.stringify(words)).digest().subarray(0, ID_LENGTH));
}

function spell(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CROCKFORD[byte & 31]).join("");
}
