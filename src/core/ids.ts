// How ids are made: short, random, without letters that people confuse.

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_LENGTH = 12;

/** 12 characters of lower-case Crockford base 32: 60 random bits. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  return Array.from(bytes, (byte) => CROCKFORD[byte & 31]).join("");
}
