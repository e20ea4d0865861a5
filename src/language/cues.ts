// Signs in a text that tell what kind of answer it asks for or gives.

const ASKS_WHEN =
  /\bwhen\b|\b(?:what|which) (?:date|day|time|year|month|week)\b|\bhow (?:long|old|soon|recently)\b|\bhow many (?:days|weeks|months|years|hours)\b/i;
const SAYS_WHEN =
  /\b(?:yesterday|today|tomorrow|tonight|last|next|ago|week|weekend|month|year|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}:\d{2}|recently|since|until)\b/i;
const QUESTION = /[?？؟]\s*(?:\[[^\]]*\]\s*)?$/u;
const SPEAKER = /^(\p{Lu}[\p{L}\p{M}\p{N}_-]{0,39})(?: \p{Lu}[\p{L}\p{M}-]{0,39})?:\s/u;

/** The text asks for a point or a span of time. */
export function asksWhen(text: string): boolean {
  return ASKS_WHEN.test(text);
}

/** The text names a point or a span of time. */
export function saysWhen(text: string): boolean {
  return SAYS_WHEN.test(text);
}

/** The text ends as a question. */
export function isQuestion(text: string): boolean {
  return QUESTION.test(text);
}

/** Who speaks, in a fact told as `Name: text`. */
export function speakerOf(text: string): string | undefined {
  return SPEAKER.exec(text)?.[1];
}
