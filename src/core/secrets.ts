// What looks like a credential: a table of shapes, and text with what has one of them replaced.

interface Rule {
  /** As a reader is told. */
  readonly name: string;
  /** Global. A group named `secret` is what is replaced; without one, all of the match. */
  readonly shape: RegExp;
  /** Whether a match is one after all. */
  readonly holds?: (secret: string) => boolean;
}

/** Shapes that their issuers document, most telling first; then assignments to a telling name. */
const RULES: readonly Rule[] = [
  {
    name: "private key",
    shape: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/g,
  },
  { name: "GitHub token", shape: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g },
  { name: "GitLab token", shape: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,100}/g },
  { name: "Anthropic key", shape: /\bsk-ant-[\w-]{20,200}/g },
  { name: "OpenAI key", shape: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}/g, holds: mixed },
  { name: "AWS access key", shape: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { name: "Google key", shape: /\bAIza[\w-]{35}(?![\w-])/g },
  { name: "Google token", shape: /\b(?:ya29\.[\w-]{20,500}|GOCSPX-[\w-]{20,60})/g },
  { name: "Slack token", shape: /\b(?:xox[abeoprs]-[\w-]{10,200}|xapp-\d-[\w-]{20,200})/g },
  { name: "Slack webhook", shape: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,100}/g },
  { name: "Stripe key", shape: /\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9+/=]{24,100})/g },
  { name: "npm token", shape: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: "PyPI token", shape: /\bpypi-AgE[\w-]{50,300}/g },
  { name: "Hugging Face token", shape: /\bhf_[A-Za-z0-9]{30,60}\b/g },
  { name: "SendGrid key", shape: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/g },
  { name: "DigitalOcean token", shape: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { name: "Telegram bot token", shape: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { name: "age key", shape: /\bAGE-SECRET-KEY-1[A-Z0-9]{50,70}\b/g },
  { name: "JSON web token", shape: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{10,2000}/g },
  { name: "bearer token", shape: /\b(?:bearer|basic) +(?<secret>[A-Za-z0-9._~+/=-]{20,2000})/gi, holds: mixed },
  {
    name: "password in a URL",
    shape: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}:(?<secret>[^\s@/]{3,200})@/gi,
    holds: isValue,
  },
  {
    name: "password",
    shape:
      /(?<![a-z])(?:pass(?:word|wd|phrase)?|pwd|pin code)\b["'`]?(?: *[:=]+>? *| is )["'`]?(?<secret>[^\s"'`,;]{6,200})/gi,
    holds: (secret) => isValue(secret) && /\d|[^\w.:-]/.test(secret.replace(/[.!?)]+$/, "")) && /[a-z]/i.test(secret),
  },
  {
    name: "secret",
    shape:
      /\b(?:[\w-]{0,60}[_-])?(?:secret|token|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|private[_-]?key|auth[_-]?key|credentials?|password)["'`]?(?: *[:=]+>? *| is )["'`]?(?<secret>[A-Za-z0-9_.~+/=-]{16,500})/gi,
    holds: (secret) => isValue(secret) && mixed(secret) && entropy(secret) >= 3.2,
  },
];

/** No rule can match a text without one of these: most texts are done after one look. */
const TELLING =
  /-----BEGIN|sk-|gh[pousr]_|github_pat_|gl\w{2,4}-|AKIA|ASIA|AIza|ya29|GOCSPX|xox|xapp|hooks\.slack|[sr]k_|whsec_|npm_|pypi-|hf_|SG\.|do[opr]_v1|:AA|AGE-SECRET|eyJ|bearer|basic|:\/\/|pass|pwd|pin code|secret|token|key|credential/i;

export interface Redacted {
  readonly text: string;
  /** What was replaced, by name, each once. */
  readonly found: readonly string[];
}

/** The text with each credential replaced by a mark that says what stood there. */
export function redact(text: string): Redacted {
  if (!TELLING.test(text)) return { text, found: [] };
  const found = new Set<string>();
  let left = text;
  for (const { name, shape, holds } of RULES) {
    left = left.replace(shape, (match: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const secret = typeof groups === "object" && groups !== null && "secret" in groups
        ? String(groups.secret)
        : match;
      if (holds && !holds(secret)) return match;
      found.add(name);
      const at = match.lastIndexOf(secret);
      return `${match.slice(0, at)}[${name} removed]${match.slice(at + secret.length)}`;
    });
  }
  return { text: left, found: [...found] };
}

/** The same for every string in a JSON value; a key tells about its value as a name before `=` does. */
export function redactValue<T>(value: T): { readonly value: T; readonly found: readonly string[] } {
  const found = new Set<string>();
  const walk = (one: unknown, key = ""): unknown => {
    if (typeof one === "string") return walkText(one, key);
    if (Array.isArray(one)) return one.map((inner) => walk(inner));
    if (typeof one !== "object" || one === null || Object.getPrototypeOf(one) !== Object.prototype) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, walk(inner, name)]));
  };
  const walkText = (text: string, key: string): string => {
    const own = redact(text);
    for (const name of own.found) found.add(name);
    const lead = `${key}: `;
    const named = key === "" ? undefined : redact(lead + own.text);
    if (named === undefined || named.found.length === 0 || !named.text.startsWith(lead)) return own.text;
    for (const name of named.found) found.add(name);
    return named.text.slice(lead.length);
  };
  const kept = walk(value) as T; // the same shape, strings for strings
  return { value: kept, found: [...found] };
}

/** Letters and digits both: words alone are no key. */
function mixed(secret: string): boolean {
  return /\d/.test(secret) && /[a-z]/i.test(secret);
}

/** Not a variable, a placeholder, a path or a type. */
function isValue(secret: string): boolean {
  return !/^(?:[$%<{[*]|\.{2,}|x{3,}|\*+|process\.|os\.|env\.|\.?\/|~\/|(?:your|my|the|example|changeme|redacted|removed|null|none|true|false|undefined|string)\b)/i
    .test(secret) && !/^[\w.]+\(|\}$|>$/.test(secret);
}

/** Bits a character: random text has 4 and more, words about 3. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
