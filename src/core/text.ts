// What text may be stored and shown: no NUL, no half characters, no line that poses as another line.

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const BLANK = /^[\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** U+0000 (the driver cuts text there) and lone surrogates as U+FFFD. */
export function clean(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}

/** Nothing but space, control and invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Length in characters (code points), as limits are stated. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) length--;
  }
  return length;
}

/** Every line after the first indented, so that one item can never look like two. */
export function indentRest(text: string, indent = "   "): string {
  return text.split(LINE_BREAK).join(`\n${indent}`);
}

/** A value inside a sentence: on one line, cut when long. */
export function quoted(value: string, limit = 120): string {
  const flat = clean(value).replace(/[\s\p{Cc}]+/gu, " ");
  const points = [...flat.slice(0, limit * 2 + 2)];
  return `"${points.length > limit ? `${points.slice(0, limit).join("")}…` : flat}"`;
}
